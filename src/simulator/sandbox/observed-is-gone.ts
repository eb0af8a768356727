/** For options, flags and profiles of 0.2.0 and earlier, which named a form of the answers. */
export const OBSERVED_IS_GONE = 'the dialect observed is gone: --venue measured simulates the measured venue'
