import type { Problem } from './config/problem.ts'
import type { PolicyProblem } from './verdict/policy/policy-problem.ts'

/**
 * Every way Hintgate says no, in one table: what it is called, which HTTP status and exit code it has, what
 * it says and what to do about it. Codes are stable; agents, scripts and people rely on them.
 */
interface ErrorKind<P> {
  readonly http: number
  readonly exit: number
  readonly message: (payload: P) => string
  readonly remedy: string
}

const kind = <P = object>(entry: ErrorKind<P>): ErrorKind<P> => entry

type ToolPayload = { readonly tool: string; readonly why?: string }
type ServerPayload = { readonly server: string; readonly why?: string }
type StorePayload = { readonly store: string; readonly why?: string }
type NamePayload = { readonly name: string }
type FilePayload = { readonly file: string; readonly why?: string }

const FAILED = 1
const USAGE = 2
const REFUSED = 10
const WAITING = 11

const because = (why: string | undefined): string => (why === undefined ? '' : `: ${why}`)

export const ERRORS = {
  // Refusals of a call
  unknown_tool: kind<ToolPayload>({
    http: 404,
    exit: FAILED,
    message: p => `There is no tool ${p.tool}${because(p.why)}`,
    remedy: 'List the tools you may use and take a name from there.',
  }),
  permission_denied: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `This token may not call ${p.tool} this way${because(p.why)}`,
    remedy: 'Ask the operator for a token with that permission.',
  }),
  intent_mismatch: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `${p.tool} does more than this call says${because(p.why)}`,
    remedy: 'Call it with the variant that `call_with` names.',
  }),
  quarantined: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `${p.tool} waits for review`,
    remedy: 'Ask the operator to review it: hintgate tools approve.',
  }),
  policy_denied: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `A policy forbids this call of ${p.tool}${because(p.why)}`,
    remedy: 'See the reasons; the operator can run hintgate policy explain.',
  }),
  guardrail_blocked: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `A guardrail stopped this call of ${p.tool}${because(p.why)}`,
    remedy: 'Change the arguments that the reasons name.',
  }),
  confirmation_required: kind<ToolPayload>({
    http: 403,
    exit: WAITING,
    message: p => `${p.tool} needs a person's approval${because(p.why)}`,
    remedy: 'Approve it in the console or with hintgate approvals, then call again.',
  }),
  confirmation_denied: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `A person refused this call of ${p.tool}${because(p.why)}`,
    remedy: 'Do not repeat the call; ask the person what to do instead.',
  }),
  confirmation_expired: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `Nobody answered in time whether ${p.tool} may be called`,
    remedy: 'Call again when somebody is there to approve.',
  }),
  trifecta: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `${p.tool} would join private data, untrusted content and a way out${because(p.why)}`,
    remedy: 'Do this step in a new session, or ask the operator.',
  }),
  invalid_arguments: kind<ToolPayload>({
    http: 400,
    exit: USAGE,
    message: p => `The arguments do not fit ${p.tool}${because(p.why)}`,
    remedy: "Compare them with the tool's input schema.",
  }),
  rate_limited: kind<{ readonly why?: string }>({
    http: 429,
    exit: FAILED,
    message: p => `Too many calls${because(p.why)}`,
    remedy: 'Wait a little and call less often.',
  }),
  upstream_unavailable: kind<ServerPayload>({
    http: 502,
    exit: FAILED,
    message: p => `Server ${p.server} cannot be reached${because(p.why)}`,
    remedy: 'Try again later; the operator can run hintgate servers test.',
  }),
  upstream_timeout: kind<ServerPayload>({
    http: 504,
    exit: FAILED,
    message: p => `Server ${p.server} did not answer in time${because(p.why)}`,
    remedy: 'Try a smaller request, or raise `timeout` of that server in the config.',
  }),
  upstream_protocol: kind<ServerPayload>({
    http: 502,
    exit: FAILED,
    message: p => `Server ${p.server} answered against the protocol${because(p.why)}`,
    remedy: 'The server is at fault; the operator can run hintgate servers test.',
  }),
  result_too_large: kind<ToolPayload>({
    http: 502,
    exit: FAILED,
    message: p => `The result of ${p.tool} is too large${because(p.why)}`,
    remedy: 'Ask for less, or raise `limits.result` in the config.',
  }),
  overloaded: kind<{ readonly why?: string }>({
    http: 503,
    exit: FAILED,
    message: p => `The gateway is busy${because(p.why)}`,
    remedy: 'Wait a little and try again.',
  }),

  // Approvals
  approval_unknown: kind<{ readonly id: string }>({
    http: 404,
    exit: FAILED,
    message: p => `There is no approval ${JSON.stringify(p.id.slice(0, 80))}`,
    remedy: 'hintgate approvals list shows what waits.',
  }),
  approval_decided: kind<{ readonly id: string; readonly state: string }>({
    http: 409,
    exit: FAILED,
    message: p => `${p.id} cannot be decided any more: it is ${p.state}`,
    remedy: 'Let the agent call again; hintgate approvals list shows what waits.',
  }),
  approval_own: kind<{ readonly id: string; readonly by: string }>({
    http: 403,
    exit: REFUSED,
    message: p => `${p.by} asked for ${p.id} and cannot approve it too`,
    remedy: 'Somebody else has to decide.',
  }),
  approval_once: kind<{ readonly id: string; readonly remember: string }>({
    http: 403,
    exit: REFUSED,
    message: p => `${p.id} may be approved for this one call only, not for the ${p.remember}`,
    remedy: 'Leave --remember out, or allow it with confirm.remember in the config.',
  }),
  session_unknown: kind<{ readonly id: string }>({
    http: 404,
    exit: FAILED,
    message: p => `There is no session ${JSON.stringify(p.id.slice(0, 120))}`,
    remedy: 'hintgate sessions list shows those that have touched anything.',
  }),

  // Credentials
  credential_missing: kind({
    http: 401,
    exit: FAILED,
    message: () => 'No credential was sent',
    remedy: 'Send the header Authorization: Bearer hg_agent_…; hintgate tokens create makes one.',
  }),
  credential_malformed: kind({
    http: 401,
    exit: FAILED,
    message: () => 'The credential is not a Hintgate token',
    remedy: 'Copy the whole token, without quotes or spaces.',
  }),
  credential_unknown: kind({
    http: 401,
    exit: FAILED,
    message: () => 'The token is not known here',
    remedy: 'Create one with hintgate tokens create; a rotated token no longer works.',
  }),
  credential_revoked: kind({
    http: 401,
    exit: FAILED,
    message: () => 'The token has been revoked',
    remedy: 'Ask the operator for a new one.',
  }),
  credential_expired: kind({
    http: 401,
    exit: FAILED,
    message: () => 'The token has expired',
    remedy: 'Ask the operator for a new one.',
  }),

  // Tokens
  name_taken: kind<NamePayload>({
    http: 409,
    exit: FAILED,
    message: p => `A token named ${p.name} exists already`,
    remedy: 'Choose another name, or use hintgate tokens rotate or revoke on that one.',
  }),
  token_name_invalid: kind<NamePayload>({
    http: 400,
    exit: USAGE,
    message: p => `${JSON.stringify(p.name.slice(0, 80))} cannot be the name of a token`,
    remedy: 'Use 1 to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit.',
  }),
  server_sign_in_failed: kind<{ server: string; why: string }>({
    http: 502,
    exit: FAILED,
    message: p => `Signing in to ${p.server} did not work: ${p.why}`,
    remedy:
      'Begin again with hintgate servers login, or in the console; check "oauth" of the server in the config.',
  }),
  issuer_unusable: kind<{ issuer: string; why: string }>({
    http: 500,
    exit: FAILED,
    message: p => `The issuer ${p.issuer} cannot be used: ${p.why}`,
    remedy: 'Check oauth.issuers in the config; give "jwks" where the issuer has no metadata.',
  }),
  token_unknown: kind<NamePayload>({
    http: 404,
    exit: FAILED,
    message: p => `There is no token named ${p.name}, or it is revoked already`,
    remedy: 'hintgate tokens list shows them all.',
  }),
  flag_invalid: kind<{ readonly flag: string; readonly why: string }>({
    http: 400,
    exit: USAGE,
    message: p => `${p.flag}: ${p.why}`,
    remedy: 'Run the command with --help for an example.',
  }),

  // Config and the key
  config_invalid: kind<{ readonly file: string; readonly problems: readonly Problem[] }>({
    http: 500,
    exit: USAGE,
    message: p => `${p.file}: ${p.problems.length === 1 ? 'a problem' : `${p.problems.length} problems`}`,
    remedy: 'Mend what is listed.',
  }),
  policy_invalid: kind<{ readonly problems: readonly PolicyProblem[] }>({
    http: 500,
    exit: USAGE,
    message: p => `policies: ${p.problems.length === 1 ? 'a problem' : `${p.problems.length} problems`}`,
    remedy: 'Mend what is listed.',
  }),
  listen_failed: kind<{ readonly address: string; readonly why: string }>({
    http: 500,
    exit: FAILED,
    message: p =>
      p.why === 'EADDRINUSE'
        ? `Something else listens on ${p.address} already`
        : `Cannot listen on ${p.address}: ${p.why}`,
    remedy: 'Stop the other process, or choose another address with --listen (port 0 takes a free one).',
  }),
  telemetry_missing: kind<{ readonly command: string }>({
    http: 500,
    exit: FAILED,
    message: p => `Telemetry needs packages that are not installed: ${p.command}`,
    remedy: 'Run that command where hintgate is installed, or take "telemetry" out of the config.',
  }),
  unknown_server: kind<ServerPayload>({
    http: 404,
    exit: USAGE,
    message: p => `There is no server ${p.server}`,
    remedy: 'Take a name from mcpServers in the config.',
  }),
  secret_key_exposed: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `Others can read the secret key ${p.file}`,
    remedy: 'chmod 600 that file. If somebody may have read it: delete it and create all tokens anew.',
  }),
  secret_key_weak: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `The secret key ${p.file} is no secret${because(p.why)}`,
    remedy:
      'Delete the file; the next start makes a good key, and tokens must be created anew. For replicas: openssl rand -base64 32.',
  }),
  secret_key_unreadable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `The secret key ${p.file} cannot be read or made${because(p.why)}`,
    remedy: 'Give this user the right to read and write that folder, or choose another with --home.',
  }),

  secret_key_differs: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `Another gateway on ${p.store} has another secret key`,
    remedy:
      'Give all replicas the same key, as HINTGATE_SECRET_KEY or HINTGATE_SECRET_KEY_FILE; see docs/scale.md.',
  }),

  // The store
  store_unsupported: kind<StorePayload>({
    http: 500,
    exit: USAGE,
    message: p => `The store ${p.store} is not supported`,
    remedy: 'Use "sqlite:PATH", for example "sqlite:data/hintgate.db", or "postgres://USER@HOST/DATABASE".',
  }),
  store_newer: kind<StorePayload & { readonly found: number; readonly known: number }>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} has schema version ${p.found}; this Hintgate knows up to ${p.known}`,
    remedy: 'Run the newer Hintgate, or restore a backup from before it (beside the database, with SQLite).',
  }),
  store_foreign: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} is a database of another program`,
    remedy: 'Point "store" at another file or database; this one is left as it is.',
  }),
  store_corrupt: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} is damaged or not a database${because(p.why)}`,
    remedy: 'Move it away and restore a backup (they lie beside it), or start with a new one.',
  }),
  store_read_only: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} cannot be written${because(p.why)}`,
    remedy: 'Give this user the right to write the file and its folder.',
  }),
  store_locked: kind<StorePayload>({
    http: 503,
    exit: FAILED,
    message: p => `${p.store} is locked by another program${because(p.why)}`,
    remedy: 'End the program that holds it (a backup or a database browser?) and try again.',
  }),
  store_unavailable: kind<StorePayload>({
    http: 503,
    exit: FAILED,
    message: p => `${p.store} cannot be used${because(p.why)}`,
    remedy: 'See that the folder exists, can be written by this user and has space left.',
  }),
  store_unreachable: kind<StorePayload>({
    http: 503,
    exit: FAILED,
    message: p => `${p.store} cannot be reached${because(p.why)}`,
    remedy: 'See that PostgreSQL runs there, takes connections from here and has some left.',
  }),
  store_forbidden: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} does not let us in${because(p.why)}`,
    remedy:
      'Check user, password and database in "store"; the user needs the right to create a schema there.',
  }),
  store_not_empty: kind<StorePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.store} has something in it already${because(p.why)}`,
    remedy: 'Copy to a new database.',
  }),

  // The configs of clients, and our own
  client_unknown: kind<{ readonly name: string; readonly known: readonly string[]; readonly meant?: string }>(
    {
      http: 404,
      exit: USAGE,
      message: p =>
        `There is no client ${JSON.stringify(p.name)}; ${p.meant === undefined ? `known are ${p.known.join(', ')}` : `did you mean ${p.meant}?`}`,
      remedy: 'Take a name from hintgate connect --help.',
    },
  ),
  client_file_invalid: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.file}: the client's config cannot be understood${because(p.why)}`,
    remedy: 'Mend that line of the file and try again; nothing was changed.',
  }),
  client_file_unreadable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.file} cannot be used${because(p.why)}`,
    remedy: 'See that it is a file which this user may read and write; nothing was changed.',
  }),
  client_file_read_only: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.file} may not be written`,
    remedy: 'Give this user the right to write the file and its folder; nothing was changed.',
  }),
  client_file_changed: kind<FilePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.file} was changed by another program meanwhile`,
    remedy: 'Close the client and run the command again; nothing was changed.',
  }),
  client_entry_taken: kind<FilePayload & NamePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.file} has a server called ${p.name} already, and it is not from us`,
    remedy: 'Choose another name with --name, or remove that server from the file.',
  }),
  client_not_connected: kind<{ readonly client: string }>({
    http: 404,
    exit: FAILED,
    message: p => `${p.client} is not connected by this command`,
    remedy: 'Connect it with hintgate connect; an entry made by hand is removed by hand.',
  }),
  home_missing: kind({
    http: 500,
    exit: USAGE,
    message: () => 'There is no home folder to look in',
    remedy: 'Set HOME to an absolute path (USERPROFILE on Windows).',
  }),
  home_unwritable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `Nothing can be written to ${p.file}${because(p.why)}`,
    remedy: 'Give this user the right to write that folder, or choose another with --home.',
  }),
  config_exists: kind<FilePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.file} is there already`,
    remedy: 'It is left as it is: edit it, or choose another place with --config.',
  }),
  config_changed: kind<FilePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.file} was changed by somebody else meanwhile`,
    remedy: 'Run the command again; nothing was changed.',
  }),
  config_unwritable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.file} may not be written`,
    remedy: 'Give this user the right to write the file and its folder; nothing was changed.',
  }),
  server_exists: kind<ServerPayload>({
    http: 409,
    exit: FAILED,
    message: p => `There is a server ${p.server} already`,
    remedy: 'Choose another name, or remove that one first: hintgate servers remove.',
  }),
} as const

export type ErrorCode = keyof typeof ERRORS

export type PayloadOf<C extends ErrorCode> = (typeof ERRORS)[C] extends ErrorKind<infer P> ? P : never

/** Where a code is explained; `hintgate explain CODE` prints the same page. */
export function pageOf(code: string): string {
  return `docs/errors/${code}.md`
}

/** The one error class. What may go wrong in a known way is a code in the table above. */
export class HintgateError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C
  readonly payload: PayloadOf<C>

  constructor(code: C, payload: PayloadOf<C>, options?: ErrorOptions) {
    super((ERRORS[code] as ErrorKind<PayloadOf<C>>).message(payload), options)
    this.name = 'HintgateError'
    this.code = code
    this.payload = payload
  }

  get http(): number {
    return ERRORS[this.code].http
  }

  get exit(): number {
    return ERRORS[this.code].exit
  }

  get remedy(): string {
    return ERRORS[this.code].remedy
  }
}

export function hasCode<C extends ErrorCode>(error: unknown, code: C): error is HintgateError<C> {
  return error instanceof HintgateError && (error.code as ErrorCode) === code
}
