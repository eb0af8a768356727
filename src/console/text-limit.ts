/** Characters that a person's name and reason may have. */
export const TEXT_LIMIT = 500
