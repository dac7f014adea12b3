import { FAILED, kind, type NamePayload, USAGE } from './kind.ts'

/** About credentials: ours, those of issuers, and those for servers; and what the flags for them say. */
export const TOKEN_ERRORS = {
  credential_malformed: kind({
    http: 401,
    exit: FAILED,
    message: () => 'The credential is not a Hintgate token',
    remedy: 'Copy the whole token, without quotes or spaces.',
  }),
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
  token_expired: kind<NamePayload & { readonly at: string }>({
    http: 401,
    exit: FAILED,
    message: p => `The token of ${p.name} expired at ${p.at}`,
    remedy: 'Make a new one: hintgate tokens revoke, then hintgate tokens create with the same name.',
  }),
  flag_invalid: kind<{ readonly flag: string; readonly why: string }>({
    http: 400,
    exit: USAGE,
    message: p => `${p.flag}: ${p.why}`,
    remedy: 'Run the command with --help for an example.',
  }),
} as const
