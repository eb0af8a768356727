/**
 * The permissions of a token: read everything, operate (pause, halt, resume, activate, deactivate, cancel orders, reload), request a
 * withdrawal, or approve a withdrawal that another token requested.
 */
export const PERMISSIONS = ['read', 'operate', 'withdraw', 'approve'] as const
export type Permission = (typeof PERMISSIONS)[number]
