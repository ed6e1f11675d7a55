/** Asked and answered on the home page, in this order: `site.home.q.…`, `site.home.a.…`; said to programs too. */
export const questions = ['cost', 'bailiff', 'qualified', 'login', 'gone', 'file', 'who'] as const
