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

/** The ways a call is refused. Agents rely on these most. */
export const REFUSALS = {
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
    remedy:
      'Do not repeat the call; ask the person what to do instead. The refusal says until when the no holds.',
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
    message: p =>
      `${p.tool} would join private data, untrusted content and external communication${because(p.why)}`,
    remedy: 'Do without this step, or ask the operator.',
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
} as const
