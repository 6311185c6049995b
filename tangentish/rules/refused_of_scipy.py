"""What of SciPy has no derivative rule on purpose, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterator

_NO_FORM = "no closed form of its derivative is known"
_SLOPE = (
    "it gives its own slope as well: write a function that calls it, with a rule of yours, @adjoint"
)
_INTEGERS = "it is for integers, which carry no derivative"
_SETTINGS = "it is about types or settings, not about values"
_JUMPS = "what it gives is constant but for jumps, where ranks or counts change: write stop_gradient(x) for x"
_CALLS = "it calls a function of yours: differentiate that function, and write the method's own loop in Python"
_INTEGRATES = "it calls a function of yours: write scipy.integrate.quad of a function that gives the inner scipy.integrate.quad"
_EQUATION = "it solves a differential equation by steps of its own: write scipy.integrate.solve_ivp or odeint, or the steps in Python"
_TRIANGLES = "which triangle or cell a point lies in follows the data: there is no rule for that"
_TABLE = "its nodes and values carry no derivative: write scipy.interpolate.RegularGridInterpolator or CubicSpline, whose values do"
_FITTED = "its knots or coefficients are fitted: write scipy.interpolate.make_interp_spline or CubicSpline, or np.linalg.lstsq of a design matrix"
_SLOPES = "its slopes follow the data by cases: write scipy.interpolate.CubicSpline, or np.interp"
_OBJECT = "its nodes and values carry no derivative, only what it is called with: write scipy.interpolate.CubicSpline, whose values do"
_SPECTRUM = "write np.abs(np.fft.rfft(x * w)) ** 2 for each piece of x, with a window w"
_DESIGN = "its filter is designed for numbers that carry no derivative: write its coefficients with np.convolve and np.poly"
_SYSTEM = "it is about linear systems given as objects or tuples: write scipy.signal.lfilter, or the recurrence x = A @ x + B @ u"
_RESPONSE = "write np.polyval(b, z) / np.polyval(a, z), with z = np.exp(1j * w) for a filter, and 1j * w for a circuit"
_SPLINES = (
    "it filters by splines: write scipy.ndimage.gaussian_filter1d, or scipy.interpolate.CubicSpline"
)
_PLACES = "write np.asarray({}(stop_gradient(x))[0]), the places, and read x there"
_WINDOWS = (
    "write np.median(np.lib.stride_tricks.sliding_window_view(np.pad(x, k // 2), k), axis=-1)"
)
_NEIGHBOURHOODS = (
    "write np.{}(np.lib.stride_tricks.sliding_window_view(np.pad(x, k // 2, 'symmetric'), (k, k)), "
    "axis=(-2, -1)), of an odd k"
)
_LABELLED = "write np.bincount(labels.ravel(), x.ravel()), which sums x over each label"
_MORPHOLOGY = _NEIGHBOURHOODS.format("max") + ", np.min, and their differences"
_MOVED = "write scipy.ndimage.map_coordinates(x, places), with the places that it asks for"
_SPARSE = "a sparse matrix carries no derivative: write "
_DIAGONALS = (
    f"{_SPARSE}scipy.linalg.solve_banded((1, 1), rows, b), the rows being the diagonals, or np.diag"
)
_ENTRIES = (
    f"{_SPARSE}its product, np.bincount(rows, values * x[columns], minlength=n), or a plain array"
)
_SOLVED = "write scipy.sparse.linalg.spsolve(A, b)"
_DENSE = f"{_SPARSE}the function of that name of scipy.linalg or NumPy, of a plain array"
_RANKS = "it tests by ranks, which are constant but for jumps: write its statistic with np.sum of what varies"
_TESTS = "it is a test of statistics: write its statistic with np.mean and np.var, and scipy.stats.t.sf or chi2.sf of it"
_SAMPLED = "it resamples or calls a statistic: differentiate that statistic, or write the loop over the samples"
_FITS = (
    "it fits parameters: write the logarithm of the likelihood, with logpdf, and differentiate that"
)
_COUNTS = "its counts are constant, but its edges follow the data: give the edges as an array to np.searchsorted and np.bincount"
_DRAWS = "it draws by what varies: write loc + scale * np.random.normal(size=n), or another draw that is moved and stretched"
_BOOLEANS = "it is for truth values: write np.sum or np.mean of what is compared, (x != z) * w"
_TURNS = "write the matrix scipy.linalg.expm(np.cross(np.eye(3), v)) of a rotation vector v, and its products with points and other matrices"
_RANDOM_VARIABLE = "it is an object: write scipy.stats.norm.logpdf(x, loc, scale), or another distribution's methods"
_FORMS = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")

_SPECIAL = {
    "write scipy.special.betainc(n - k, k + 1, 1 - p)": "bdtr",
    "write scipy.special.betainc(k + 1, n - k, p)": "bdtrc",
    "write 1 - scipy.special.betaincinv(n - k, k + 1, y)": "bdtri",
    "write scipy.special.betaincinv(n, k + 1, y)": "nbdtri",
    "write scipy.special.gammainccinv(k + 1, y)": "pdtri",
    "write scipy.special.gammaincinv(b, p) / a": "gdtrix",
    "write scipy.special.gammaincinv(b, p) / x": "gdtria",
    "write x - std * scipy.special.ndtri(p)": "nrdtrimn",
    "write (x - mn) / scipy.special.ndtri(p)": "nrdtrisd",
    _NO_FORM: """
        bdtrik bdtrin btdtria btdtrib chdtriv chndtr chndtridf chndtrinc chndtrix fdtridfd gdtrib kolmogi kolmogorov
        nbdtrik nbdtrin ncfdtr ncfdtri ncfdtridfd ncfdtridfn ncfdtrinc nctdtr nctdtridf nctdtrinc nctdtrit pdtrik
        smirnov smirnovi stdtridf tklmbda besselpoly ellip_harm ellip_harm_2 ellip_normal mathieu_a mathieu_b obl_cv
        pro_cv pro_ang1_cv pro_rad1_cv pro_rad2_cv obl_ang1_cv obl_rad1_cv obl_rad2_cv beip berp keip kerp kelvin bei
        ber kei ker modfresnelm modfresnelp
    """,
    "write Legendre's forms of it: scipy.special.ellipk, ellipe, ellipkinc and ellipeinc": """
        elliprc elliprd elliprf elliprg elliprj
    """,
    "write scipy.special.eval_jacobi(n, p - q, q - 1, 2 * x - 1) / scipy.special.binom(2 * n + p - 1, n)": "eval_sh_jacobi",
    "write np.radians(d + m / 60 + s / 3600)": "radian",
    "write np.sin(n * x / 2) / (n * np.sin(x / 2))": "diric",
    "write np.pi / 4 * (a + b) / scipy.special.ellipk(((a - b) / (a + b)) ** 2)": "agm",
    "write scipy.special.airy(z), times np.exp(2 / 3 * z ** 1.5) or its inverse": "airye",
    "write scipy.special.hankel1(v, z) * np.exp(-1j * z)": "hankel1e",
    "write scipy.special.hankel2(v, z) * np.exp(1j * z)": "hankel2e",
    "it is an integral: write scipy.integrate.quad of its integrand, from 0 to x": """
        it2i0k0 it2j0y0 it2struve0 itairy iti0k0 itj0y0 itmodstruve0 itstruve0
    """,
    "write np.log(scipy.special.wright_bessel(a, b, x))": "log_wright_bessel",
    _SLOPE: """
        mathieu_cem mathieu_modcem1 mathieu_modcem2 mathieu_modsem1 mathieu_modsem2 mathieu_sem obl_ang1 obl_rad1
        obl_rad2 pro_ang1 pro_rad1 pro_rad2 pbdv pbvv pbwa pbdn_seq pbdv_seq pbvv_seq lmbda lqmn lqn riccati_jn
        riccati_yn
    """,
    _INTEGERS: """
        ai_zeros bei_zeros beip_zeros ber_zeros bernoulli berp_zeros bi_zeros erf_zeros euler fresnel_zeros
        fresnelc_zeros fresnels_zeros jn_zeros jnjnp_zeros jnp_zeros jnyn_zeros kei_zeros keip_zeros kelvin_zeros
        ker_zeros kerp_zeros stirling2 y0_zeros y1_zeros y1p_zeros yn_zeros ynp_zeros
    """,
    f"{_INTEGERS}: write scipy.special.gamma": "factorial2 factorialk",
    "what it makes is known for numbers that carry no derivative only": """
        mathieu_even_coef mathieu_odd_coef obl_cv_seq pro_cv_seq
    """,
    "write scipy.special.eval_genlaguerre(n, k, x)": "assoc_laguerre",
    "write (scipy.special.hankel1(v - 1, z) - scipy.special.hankel1(v + 1, z)) / 2": "h1vp",
    "write (scipy.special.hankel2(v - 1, z) - scipy.special.hankel2(v + 1, z)) / 2": "h2vp",
    "it gives an object: write scipy.special.eval_legendre(n, x), or that of its name": """
        legendre chebyt chebyu chebyc chebys jacobi laguerre genlaguerre hermite hermitenorm gegenbauer sh_legendre
        sh_chebyt sh_chebyu sh_jacobi
    """,
    "write scipy.special.eval_legendre(n, z)": "legendre_p legendre_p_all",
    "write scipy.special.lpmv(m, n, z)": "assoc_legendre_p assoc_legendre_p_all",
    "write scipy.special.lpmv(m, n, np.cos(theta)), with its factors and np.exp(1j * m * phi)": """
        sph_harm_y sph_harm_y_all sph_legendre_p sph_legendre_p_all
    """,
    _SETTINGS: "geterr seterr errstate",
}

_LINALG = {
    "it may be complex: write it with scipy.linalg.eigh where the matrix is symmetric": "fractional_matrix_power",
    "its factors have no rule: write scipy.linalg.eigh of a symmetric matrix, or scipy.linalg.eig, qr or svd": """
        cdf2rdf cossin hessenberg ldl ordqz qz rsf2csf schur
    """,
    "write scipy.linalg.qr of the matrix as it is then": "qr_delete qr_insert qr_update",
    "write Q, R = scipy.linalg.qr(A, mode='economic') and the product": "qr_multiply",
    "write Q, R = scipy.linalg.qr(A[::-1].T), and turn R.T and Q.T round": "rq",
    "write U, s, Vh = scipy.linalg.svd(A); U @ Vh, Vh.T @ np.diag(s) @ Vh": "polar",
    "write U, s, Vh = scipy.linalg.svd(A.T @ B); (U @ Vh, np.sum(s))": "orthogonal_procrustes",
    "write U, s, Vh = scipy.linalg.svd(A), and the rows or columns that belong to s": "null_space orth",
    "write np.arccos(scipy.linalg.svdvals(Q.T @ P)), of orthonormal columns Q and P": "subspace_angles",
    "write scipy.linalg.solve(scipy.linalg.cosm(A), scipy.linalg.sinm(A))": "tanm",
    "write scipy.linalg.solve(scipy.linalg.coshm(A), scipy.linalg.sinhm(A))": "tanhm",
    "write it with the eigenvalues and vectors of np.linalg.eigh, where the matrix is symmetric": """
        funm signm expm_cond
    """,
    "write the banded matrix in full, with np.diag, for scipy.linalg.eigh, cholesky and solve": """
        cho_solve_banded cholesky_banded eig_banded eigvals_banded solveh_banded
    """,
    "write scipy.linalg.toeplitz(c, r) @ x": "matmul_toeplitz",
    "write scipy.linalg.toeplitz of a and zeros": "convolution_matrix",
    "write np.abs(a[:, None] - a)": "fiedler",
    "write np.zeros((n, n)) and store a[0, :] = f, a[1:, :-1] = np.diag(s)": "leslie fiedler_companion",
    "write np.zeros((m, n)) and store the singular values on its diagonal": "diagsvd",
    "it scales by powers of two that the data decide: leave it away": "matrix_balance",
    "it draws: write S @ A with a matrix S that is drawn before": "clarkson_woodruff_transform",
    _SETTINGS: "find_best_blas_type get_blas_funcs get_lapack_funcs",
    _INTEGERS: "helmert invhilbert invpascal pascal",
}

_INTEGRATE = {
    _INTEGRATES: "dblquad tplquad nquad cubature",
    _EQUATION: """
        BDF DOP853 DenseOutput LSODA OdeSolution OdeSolver RK23 RK45 Radau complex_ode ode solve_bvp
    """,
    "it calls a function of yours: write scipy.integrate.quad": "tanhsinh qmc_quad",
    "it calls a function of yours: write nodes, weights = np.polynomial.legendre.leggauss(n), and np.sum(weights * f(nodes))": "fixed_quad",
    "it calls a function of yours: write the loop, or np.sum of an array": "nsum",
    "its weights are of nodes that carry no derivative": "newton_cotes lebedev_rule",
}

_FFT = {
    "write np.fft.irfft of np.fft.rfft(a) and the coefficients that scipy.fft.fht takes": "fht ifht fhtoffset",
    _SETTINGS: """
        get_workers register_backend set_backend set_global_backend set_workers skip_backend
    """,
}

_FFTPACK = {
    "write scipy.fft.rfft or irfft, whose coefficients are complex": "rfft irfft",
    "write (np.arange(n) + 1) // 2 / (n * d)": "rfftfreq",
    _INTEGERS: "next_fast_len",
    "write np.fft.irfft(np.fft.rfft(x) * k), with what it multiplies by, k": """
        diff tilbert itilbert hilbert ihilbert sc_diff cs_diff cc_diff ss_diff shift
    """,
}

_NDIMAGE = {
    _NEIGHBOURHOODS.format("max"): "maximum_filter grey_dilation maximum_filter1d",
    _NEIGHBOURHOODS.format("min"): "minimum_filter grey_erosion minimum_filter1d",
    _NEIGHBOURHOODS.format("median"): "median_filter",
    _NEIGHBOURHOODS.format("quantile") + " and q": "percentile_filter rank_filter",
    _MORPHOLOGY: """
        black_tophat grey_closing grey_opening morphological_gradient morphological_laplace white_tophat
    """,
    _LABELLED: "sum_labels mean variance standard_deviation sum",
    "write np.max(x[labels == k]), or np.min or np.median": "extrema maximum median minimum",
    "write np.sum(np.arange(len(x)) * x) / np.sum(x) along each axis": "center_of_mass",
    _MOVED: "affine_transform geometric_transform rotate shift zoom",
    _CALLS: """
        generic_filter generic_filter1d generic_gradient_magnitude generic_laplace labeled_comprehension
        vectorized_filter
    """,
    "write np.sqrt(np.sum of the squares of scipy.ndimage.gaussian_filter(x, s, order)) along each axis": "gaussian_gradient_magnitude",
    "write np.fft.ifft of the product with its factors": """
        fourier_ellipsoid fourier_gaussian fourier_shift fourier_uniform
    """,
    _SPLINES: "spline_filter spline_filter1d",
    "how far it is to zeros is constant but for its sampling: write stop_gradient(x) for x": """
        distance_transform_bf distance_transform_cdt distance_transform_edt
    """,
    "it is for integers or truth values, such as x > 0: write stop_gradient(x) for x": """
        find_objects generate_binary_structure iterate_structure label value_indices watershed_ift histogram maximum_position minimum_position
    """,
}

_SPATIAL = {
    "write np.asarray(ConvexHull(stop_gradient(x)).vertices), the places, and read x there": "ConvexHull",
    "write np.argsort(scipy.spatial.distance.cdist(x, z), axis=1)[:, :k], and read z there": """
        KDTree cKDTree Rectangle
    """,
    f"{_TRIANGLES}: write its simplices of stop_gradient(x), and read x there": """
        Delaunay HalfspaceIntersection SphericalVoronoi Voronoi tsearch
    """,
    "write U, s, Vh = scipy.linalg.svd(A.T @ B) of both, centred and divided by np.linalg.norm": "procrustes",
    "write (np.sin((1 - t) * w) * a + np.sin(t * w) * b) / np.sin(w), with w = np.arccos(a @ b)": "geometric_slerp",
    "it draws a figure": "convex_hull_plot_2d delaunay_plot_2d voronoi_plot_2d",
    _TURNS: "from_rotvec from_euler from_quat from_matrix from_mrp from_davenport",
    "write x @ R.as_matrix().T": "apply",
    "write np.max(np.min(scipy.spatial.distance.cdist(x, z), axis=1))": "directed_hausdorff",
    "write np.sqrt(np.sum((x - z) ** 2 / v))": "seuclidean",
    "write np.sqrt(np.sum(scipy.special.rel_entr(p, m) + scipy.special.rel_entr(q, m)) / 2), with m = (p + q) / 2, p and q of sum 1": "jensenshannon",
    _BOOLEANS: "dice hamming jaccard rogerstanimoto russellrao sokalsneath yule",
}

_OPTIMIZE = {
    "it calls a function of yours: write scipy.optimize.brentq(f, low, high)": "toms748",
    "write scipy.optimize.brentq or fsolve of f(x) - x": "fixed_point",
    "write scipy.optimize.brentq or newton of the function's derivative": """
        minimize_scalar brent fminbound golden bracket
    """,
    "it calls a function of yours: write scipy.optimize.fsolve or root": """
        anderson broyden1 broyden2 diagbroyden excitingmixing linearmixing newton_krylov
    """,
    _CALLS: """
        least_squares leastsq curve_fit minimize approx_fprime basinhopping brute check_grad differential_evolution
        direct dual_annealing fmin fmin_bfgs fmin_cg fmin_cobyla fmin_l_bfgs_b fmin_ncg fmin_powell fmin_slsqp
        fmin_tnc line_search line_search_wolfe2 shgo
    """,
    "which constraints hold at its solution follows the data: write np.linalg.solve for those that do": """
        linprog lsq_linear milp nnls isotonic_regression
    """,
    "what it gives is constant but for jumps: write scipy.optimize.linear_sum_assignment": "quadratic_assignment",
    "it is an object of an optimiser, not a function of numbers": """
        BFGS Bounds BroydenFirst HessianUpdateStrategy InverseJacobian KrylovJacobian LbfgsInvHessProduct
        LinearConstraint NonlinearConstraint OptimizeResult RootResults SR1
    """,
    "write tangentish.hessian(scipy.optimize.rosen)": "rosen_hess",
    _SETTINGS: "linprog_verbose_callback show_options",
}

_INTERPOLATE = {
    _SLOPES: "PchipInterpolator Akima1DInterpolator pchip_interpolate",
    _OBJECT: "UnivariateSpline InterpolatedUnivariateSpline LSQUnivariateSpline",
    f"{_TRIANGLES}: write scipy.interpolate.RegularGridInterpolator": """
        griddata CloughTocher2DInterpolator LinearNDInterpolator NearestNDInterpolator
    """,
    _TABLE: """
        AAA BPoly BarycentricInterpolator BivariateSpline FloaterHormannInterpolator KroghInterpolator
        LSQBivariateSpline LSQSphereBivariateSpline NdBSpline NdPPoly RectBivariateSpline RectSphereBivariateSpline
        SmoothBivariateSpline SmoothSphereBivariateSpline barycentric_interpolate bisplrep interp2d krogh_interpolate
    """,
    "write scipy.interpolate.RegularGridInterpolator(points, values)(xi)": "interpn",
    "write np.linalg.solve(phi(cdist(x, x)), y), and phi(cdist(z, x)) @ of it": "RBFInterpolator Rbf",
    _FITTED: """
        generate_knots insert make_lsq_spline make_smoothing_spline make_splprep make_splrep splprep splrep sproot
    """,
    "write scipy.interpolate.BSpline(t, c, k), and its derivative or integral": """
        spalde splantider splder splint
    """,
    "write np.polyfit, or np.linalg.solve of np.vander": "approximate_taylor_polynomial lagrange pade",
}

_SIGNAL = {
    _SPECTRUM: """
        periodogram welch csd coherence spectrogram stft lombscargle vectorstrength ShortTimeFFT
        closest_STFT_dual_window
    """,
    "write np.fft.irfft of each piece, and add them up in a loop": "istft",
    "write np.abs(scipy.signal.hilbert(x - np.mean(x)))": "envelope",
    "write np.fft.ifft2 of np.fft.fft2(x) and the weights of scipy.signal.hilbert2": "hilbert2",
    "write scipy.signal.filtfilt(b, a, x)[::q], with b, a = scipy.signal.cheby1(8, 0.05, 0.8 / q)": "decimate",
    "write np.fft.irfft(np.fft.rfft(x)[: min(len(x), m) // 2 + 1], m) * m / len(x), "
    "which is the same where the smaller of both lengths is odd": "resample",
    "write scipy.signal.convolve(z, h)[::down] of z = np.zeros(up * (len(x) - 1) + 1), z[::up] = x": "upfirdn",
    "write scipy.signal.convolve(z, h)[len(h) // 2 :: down][: -(-len(x) * up // down)], with its filter h, "
    "of z = np.zeros(up * len(x)), z[::up] = x": "resample_poly",
    "write np.polyval(b[::-1], z) / np.polyval(a[::-1], z), with z = np.exp(-1j * w)": "freqz",
    _RESPONSE: """
        bode dbode dfreqresp findfreqs freqresp freqs freqs_zpk freqz_sos freqz_zpk group_delay sosfreqz
    """,
    "write x @ z ** -np.arange(len(x))[:, None], with z = a * w ** -np.arange(m)": """
        czt CZT ZoomFFT czt_points zoom_fft
    """,
    _WINDOWS: "medfilt",
    _NEIGHBOURHOODS.format("median"): "medfilt2d order_filter",
    **{_PLACES.format(name): name for name in ("find_peaks", "argrelmax", "argrelmin")},
    "write its places of stop_gradient(x), and read x there": """
        argrelextrema find_peaks_cwt peak_prominences peak_widths
    """,
    _SYSTEM: """
        StateSpace TransferFunction ZerosPolesGain abcd_normalize cont2discrete dimpulse dlsim dlti dstep impulse lsim
        lti place_poles step ss2tf ss2zpk tf2ss zpk2ss
    """,
    _DESIGN: """
        band_stop_obj besselap bilinear bilinear_zpk buttap buttord cheb1ap cheb1ord cheb2ap cheb2ord ellipap ellipord
        firls firwin2 firwin_2d gammatone iircomb iirdesign kaiser_atten kaiser_beta kaiserord lp2bp lp2bp_zpk lp2bs
        lp2bs_zpk lp2hp lp2hp_zpk lp2lp lp2lp_zpk minimum_phase normalize remez
    """,
    "write the coefficients with np.convolve and np.poly": """
        sos2tf sos2zpk tf2sos tf2zpk zpk2sos zpk2tf
    """,
    "write scipy.linalg.solve of its equations, or run the filter from zeros": "lfilter_zi sosfilt_zi lfiltic",
    "which roots are together follows the data: write np.roots and np.polyval": """
        invres invresz residue residuez unique_roots
    """,
    "write the quotient as scipy.signal.lfilter(y, h, impulse), with impulse = np.eye(n)[0]": "deconvolve",
    _SPLINES: """
        cspline1d cspline1d_eval cspline2d qspline1d qspline1d_eval qspline2d sepfir2d spline_filter symiirorder1
        symiirorder2 gauss_spline
    """,
    "write np.exp(-a * t ** 2) * np.cos(2 * np.pi * f * t)": "gausspulse",
    "write np.cos(phase), with the integral of the polynomial by np.polyint": "sweep_poly",
    "write scipy.signal.convolve for the local means of x and x ** 2": "wiener",
    "write scipy.linalg.solve(np.diag(w) + lam * D.T @ D, w * y), of differences D": "whittaker_henderson",
    "its values follow a parameter that varies: write the window with np.i0 or np.cos": "kaiser_bessel_derived dpss",
    _INTEGERS: "max_len_seq correlation_lags",
}

_STATS = {
    "write np.corrcoef(x, z)[0, 1]": "pearsonr pointbiserialr",
    _JUMPS: """
        spearmanr kendalltau spearmanrho weightedtau somersd chatterjeexi percentileofscore tiecorrect
    """,
    "write slope, intercept = np.polyfit(x, z, 1)": "linregress",
    "write its sum: np.mean(scipy.stats.norm.pdf(x[:, None], data, width), axis=1)": "gaussian_kde",
    "write (np.mean(x) - m) / scipy.stats.sem(x)": "ttest_1samp",
    "write np.mean(x - z) / scipy.stats.sem(x - z)": "ttest_rel",
    "write its quotient of np.mean and np.var(..., ddof=1)": "ttest_ind ttest_ind_from_stats",
    "write np.subtract(*np.percentile(x, [75, 25]))": "iqr",
    "write np.median(np.abs(x - np.median(x)))": "median_abs_deviation",
    "write np.exp(np.std(np.log(x), ddof=1))": "gstd",
    "write np.mean(np.sort(x)[k:-k]), with k = int(share * len(x))": "trim_mean",
    "write np.sort(x)[k:-k], with k = int(share * len(x))": "trim1 trimboth",
    "write np.arctan2(np.mean(np.sin(x)), np.mean(np.cos(x))) % (2 * np.pi)": "circmean",
    "write 1 - np.hypot(np.mean(np.sin(x)), np.mean(np.cos(x)))": "circvar",
    "write np.sqrt(-2 * np.log(np.hypot(np.mean(np.sin(x)), np.mean(np.cos(x)))))": "circstd",
    "write m = np.mean(x, axis=0), np.linalg.norm(m) and their quotient": "directional_stats",
    "write np.mean(np.abs(np.sort(x) - np.sort(z))), where both are of one length": "wasserstein_distance",
    "write sums of scipy.spatial.distance.cdist": "energy_distance wasserstein_distance_nd",
    "write scipy.special.boxcox(x, p)": "boxcox",
    "write (p - 1) * np.sum(np.log(x)) - len(x) / 2 * np.log(np.var(scipy.special.boxcox(x, p)))": "boxcox_llf",
    "write np.where(x < 0, -scipy.special.boxcox1p(-np.minimum(x, 0), 2 - p), scipy.special.boxcox1p(np.maximum(x, 0), p))": "yeojohnson",
    "write np.sum(np.sign(x) * np.log1p(np.abs(x))) * (p - 1), and the logarithm of the variance of what it transforms": "yeojohnson_llf",
    "write scipy.stats.zscore(np.log(x))": "gzscore",
    "write (x - np.mean(z)) / np.std(z)": "zmap",
    "write np.sum(scipy.special.entr(p / np.sum(p))), or scipy.special.rel_entr": "entropy",
    "write np.var(x, ddof=1), or scipy.stats.moment": "kstat kstatvar lmoment",
    "write np.min(x), np.max(x) of np.where(x < limit, x, limit)": "tmin tmax",
    "write np.mean(x), np.var(x, ddof=1), scipy.stats.skew(x)": "describe",
    "write np.quantile(x, q)": "quantile scoreatpercentile",
    "write values, counts = np.unique(stop_gradient(x), return_counts=True)": "mode",
    "write np.median((z[:, None] - z)[i] / (x[:, None] - x)[i]), of the pairs i": "siegelslopes theilslopes",
    "write a loop, or np.where, which says what counts": "sigmaclip",
    "write the equation of it for scipy.optimize.brentq": "expectile",
    "write np.mean of np.log of differences of np.sort(x)": "differential_entropy",
    "write np.sum((f - e) ** 2 / e)": "chisquare power_divergence",
    _COUNTS: """
        binned_statistic binned_statistic_2d binned_statistic_dd cumfreq relfreq ecdf estimated_cdf
    """,
    _RANKS: """
        ansari brunnermunzel friedmanchisquare kruskal mannwhitneyu median_test mood page_trend_test ranksums wilcoxon
    """,
    _TESTS: """
        alexandergovern anderson anderson_ksamp barnard_exact bartlett binomtest boschloo_exact bws_test
        chi2_contingency combine_pvalues cramervonmises cramervonmises_2samp dunnett epps_singleton_2samp f_oneway
        false_discovery_control fisher_exact fligner jarque_bera ks_1samp ks_2samp kstest kurtosistest levene logrank
        multiscale_graphcorr normaltest obrientransform poisson_means_test ppcc_max ppcc_plot probplot quantile_test
        shapiro skewtest tukey_hsd boxcox_normplot yeojohnson_normplot
    """,
    _SAMPLED: """
        BootstrapMethod MonteCarloMethod PermutationMethod bootstrap goodness_of_fit monte_carlo_test permutation_test
        power sobol_indices
    """,
    _FITS: "bayes_mvs boxcox_normmax fit mvsdist yeojohnson_normmax CensoredData",
    _RANDOM_VARIABLE: """
        Binomial Covariance Logistic Mixture Normal Uniform abs exp log make_distribution order_statistic
        rv_continuous rv_discrete rv_histogram truncate
    """,
}

_OF_DISTRIBUTIONS = {
    "there is no rule for this distribution: write its formula with scipy.special, or a rule of a function of yours that calls it: @adjoint(f)": """
        cdf logcdf sf logsf pdf logpdf pmf logpmf ppf isf
    """,
    "no rule is for the moments of this distribution: write its formula": """
        mean median std var moment stats entropy interval support mode cov generic_moment vecentropy
    """,
    _FITS: "fit fit_loc_scale nnlf",
    "it integrates a function of yours: write scipy.integrate.quad of its product with the density": "expect",
    _DRAWS: "rvs",
    "write the density of the part of it that is asked for": "marginal",
}

_SPARSE_MATRICES = {
    _DIAGONALS: "diags diags_array spdiags",
    _ENTRIES: f"""
        kron kronsum bmat block_array block_diag expand_dims find hstack vstack permute_dims swapaxes tril triu
        matrix_transpose sparray spmatrix eye eye_array identity
        {" ".join(f"{form}_{kind}" for form in _FORMS for kind in ("matrix", "array"))}
    """,
    "it draws": "rand random random_array",
    "it reads or writes files": "load_npz save_npz",
    _SETTINGS: "get_index_dtype safely_cast_index_arrays use_solver",
}

_SPARSE_LINALG = {
    _SOLVED: """
        cg gmres bicgstab minres lsqr splu spilu factorized bicg cgs gcrotmk lgmres lsmr qmr spsolve_triangular tfqmr
    """,
    _DENSE: """
        eigs eigsh expm expm_multiply funm_multiply_krylov inv lobpcg matrix_power norm onenormest svds LaplacianNd
        LinearOperator aslinearoperator
    """,
    "it is about the places of a sparse matrix, not about values": "is_sptriangular spbandwidth",
}

_MODULES = {
    "scipy.special": _SPECIAL,
    "scipy.linalg": _LINALG,
    "scipy.integrate": _INTEGRATE,
    "scipy.fft": _FFT,
    "scipy.fftpack": _FFTPACK,
    "scipy.ndimage": _NDIMAGE,
    "scipy.spatial": _SPATIAL,
    "scipy.optimize": _OPTIMIZE,
    "scipy.interpolate": _INTERPOLATE,
    "scipy.signal": _SIGNAL,
    "scipy.stats": _STATS,
    "scipy.stats.distribution": _OF_DISTRIBUTIONS,
    "scipy.sparse": _SPARSE_MATRICES | _SPARSE_LINALG,
    "builtins": {_SOLVED: "SuperLU solve"},  # of what scipy.sparse.linalg.splu makes
}


def reasons() -> Iterator[tuple[str, str]]:
    """Name -> why there is no rule for it; a method stands under the package of its class."""
    for module, families in _MODULES.items():
        for why, names in families.items():
            for name in names.split():
                yield f"{module}.{name}", why
