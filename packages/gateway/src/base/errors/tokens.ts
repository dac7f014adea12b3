import { FAILED, kind, type NamePayload, USAGE } from './kind.ts'

/** Errors about tokens, issuers, sign-in to servers, and flags. */
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
    message: p => `A token named ${p.name} already exists`,
    remedy:
      'Choose another name, or run hintgate tokens rotate or hintgate tokens revoke for the existing token.',
  }),
  token_name_invalid: kind<NamePayload>({
    http: 400,
    exit: USAGE,
    message: p => `${JSON.stringify(p.name.slice(0, 80))} is not a valid token name`,
    remedy: 'Use 1 to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit.',
  }),
  server_sign_in_failed: kind<{ server: string; why: string }>({
    http: 502,
    exit: FAILED,
    message: p => `Sign-in to ${p.server} failed: ${p.why}`,
    remedy:
      'Start again with hintgate servers login or in the console. If it fails again, check "oauth" of this server in the config.',
  }),
  issuer_unusable: kind<{ issuer: string; why: string }>({
    http: 500,
    exit: FAILED,
    message: p => `The issuer ${p.issuer} cannot be used: ${p.why}`,
    remedy: 'Check oauth.issuers in the config. If the issuer publishes no metadata, set "jwks".',
  }),
  token_unknown: kind<NamePayload>({
    http: 404,
    exit: FAILED,
    message: p => `There is no token named ${p.name}, or the token is revoked`,
    remedy: 'Run hintgate tokens list to see all tokens.',
  }),
  token_expired: kind<NamePayload & { readonly at: string }>({
    http: 401,
    exit: FAILED,
    message: p => `The token ${p.name} expired at ${p.at}`,
    remedy: 'Create a new token: hintgate tokens revoke, then hintgate tokens create with the same name.',
  }),
  flag_invalid: kind<{ readonly flag: string; readonly why: string }>({
    http: 400,
    exit: USAGE,
    message: p => `${p.flag}: ${p.why}`,
    remedy: 'Run the command with --help for an example.',
  }),
} as const
