import {
  because,
  FAILED,
  kind,
  REFUSED,
  type ServerPayload,
  type ToolPayload,
  USAGE,
  WAITING,
} from './kind.ts'

/** The reasons for refusing a call. Agents rely on the codes. */
export const REFUSALS = {
  unknown_tool: kind<ToolPayload>({
    http: 404,
    exit: FAILED,
    message: p => `Tool ${p.tool} does not exist or is outside the scope of this token${because(p.why)}`,
    remedy: 'List the tools again and use a name from the list.',
  }),
  permission_denied: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `This token lacks the permission to call ${p.tool}${because(p.why)}`,
    remedy: 'Ask the operator for a token with this permission.',
  }),
  intent_mismatch: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `${p.tool} does more than this call declares${because(p.why)}`,
    remedy: 'Use the variant that `retrieve_tools` returns in `call_with`.',
  }),
  quarantined: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `This version of ${p.tool} is waiting for review and is not approved yet`,
    remedy: 'Ask the operator to review the tool with hintgate tools review.',
  }),
  policy_denied: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `A policy denies this call to ${p.tool}${because(p.why)}`,
    remedy: 'Read the reasons. The operator can run hintgate policy explain.',
  }),
  guardrail_blocked: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `A guardrail blocked this call to ${p.tool}${because(p.why)}`,
    remedy: 'Change the arguments that the reasons name.',
  }),
  confirmation_required: kind<ToolPayload>({
    http: 403,
    exit: WAITING,
    message: p => `${p.tool} needs a person's approval${because(p.why)}`,
    remedy: 'Approve the call in the console or with hintgate approvals, then call again.',
  }),
  confirmation_denied: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `A person denied this call to ${p.tool}${because(p.why)}`,
    remedy:
      'Do not repeat the call. Ask the person what to do instead. The message says how long the denial is valid.',
  }),
  confirmation_expired: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p => `The approval for ${p.tool} has expired or does not match this call`,
    remedy: 'Call again when a person is available to approve the call.',
  }),
  trifecta: kind<ToolPayload>({
    http: 403,
    exit: REFUSED,
    message: p =>
      `${p.tool} would combine private data, untrusted content and external communication in one session${because(p.why)}`,
    remedy: 'Skip this step, or ask the operator what to do.',
  }),
  invalid_arguments: kind<ToolPayload>({
    http: 400,
    exit: USAGE,
    message: p => `The arguments do not match the input schema of ${p.tool}${because(p.why)}`,
    remedy: "Correct the arguments to match the tool's input schema.",
  }),
  rate_limited: kind<{ readonly why?: string }>({
    http: 429,
    exit: FAILED,
    message: p => `The rate limit is exceeded${because(p.why)}`,
    remedy: 'Wait, then call less often.',
  }),
  upstream_unavailable: kind<ServerPayload>({
    http: 502,
    exit: FAILED,
    message: p => `Server ${p.server} cannot be reached${because(p.why)}`,
    remedy: 'Try again later. The operator can run hintgate servers test.',
  }),
  upstream_timeout: kind<ServerPayload>({
    http: 504,
    exit: FAILED,
    message: p => `Server ${p.server} did not answer in time${because(p.why)}`,
    remedy: 'Request less data, or raise `timeout` for this server in the config.',
  }),
  upstream_protocol: kind<ServerPayload>({
    http: 502,
    exit: FAILED,
    message: p => `Server ${p.server} sent a response that violates the MCP protocol${because(p.why)}`,
    remedy: "Report the problem to the server's author. The operator can run hintgate servers test.",
  }),
  result_too_large: kind<ToolPayload>({
    http: 502,
    exit: FAILED,
    message: p => `The result of ${p.tool} is too large${because(p.why)}`,
    remedy: 'Request less data, or raise `limits.result` in the config.',
  }),
  overloaded: kind<{ readonly why?: string }>({
    http: 503,
    exit: FAILED,
    message: p => `The gateway cannot take this call now${because(p.why)}`,
    remedy: 'Wait a moment and try again.',
  }),
} as const
