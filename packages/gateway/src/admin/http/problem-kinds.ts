/** Everything that the admin API refuses, apart from what the whole gateway refuses alike. */
export const PROBLEM_KINDS = {
  invalid_request: { status: 400, title: 'The request cannot be understood' },
  not_signed_in: { status: 401, title: 'Nobody is signed in' },
  sign_in_failed: { status: 401, title: 'The code is not good (any more)' },
  not_for_agents: { status: 403, title: 'This is for people' },
  role_needed: { status: 403, title: 'Another role is needed' },
  csrf: { status: 403, title: 'The request does not come from the console' },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'This cannot be done here' },
  body_late: { status: 408, title: 'The rest of the body did not come' },
  already_decided: { status: 409, title: 'Somebody has decided already' },
  changed_meanwhile: { status: 409, title: 'It has changed since you looked' },
  config_changed: { status: 409, title: 'The config file has changed meanwhile' },
  config_unwritable: { status: 409, title: 'The config file cannot be written' },
  name_taken: { status: 409, title: 'The name is taken' },
  confirmation_expired: { status: 410, title: 'The time to decide is over' },
  stale_edit: { status: 412, title: 'Somebody else has changed it meanwhile' },
  too_large: { status: 413, title: 'The body is too long' },
  not_json: { status: 415, title: 'The body must be JSON' },
  refused: { status: 422, title: 'It would not work' },
  idempotency_mismatch: { status: 422, title: 'The key was used for another request' },
  match_needed: { status: 428, title: 'If-Match is needed' },
  too_many: { status: 429, title: 'Too many at once' },
  fault: { status: 500, title: 'A fault of ours' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>

export type ProblemCode = keyof typeof PROBLEM_KINDS
