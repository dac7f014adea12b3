import type { AuditOutcome, OutcomeEntry } from '../audit/entry.ts'
import type { LogLevel } from '../base/log-levels.ts'
import type { Log } from './log.ts'

/** What went well is for who asks for it; what did not is for everybody. */
const LEVELS: Readonly<Record<AuditOutcome, LogLevel>> = {
  answered: 'debug',
  tool_error: 'debug',
  asked: 'debug',
  cancelled: 'debug',
  error: 'info',
  refused: 'info',
  failed: 'warn',
  unknown: 'warn',
}

/**
 * A line for every call, in the words of the audit log: who, what, how it ended, never with what arguments. Names that
 * callers made up are left out.
 */
export function logCalls(log: Log): (entry: OutcomeEntry) => void {
  return entry => {
    const level = LEVELS[entry.outcome]
    if (log.hears(level)) log.say(describe(entry), { level, ...factsOf(entry) })
  }
}

function describe({ call, outcome, code }: OutcomeEntry): string {
  const what = call.known === undefined ? 'a tool that is not there' : `${call.server}:${call.tool}`
  return `${call.principal} called ${what}: ${outcome}${code === undefined ? '' : ` (${code})`}`
}

function factsOf({ call, outcome, code, attempts, durationMs, resultBytes }: OutcomeEntry) {
  const { known } = call
  return {
    requestId: call.requestId,
    principal: call.principal,
    ...(known === undefined ? {} : { server: call.server, tool: call.tool, variant: known.variant }),
    verdict: call.verdict,
    outcome,
    code,
    attempts,
    duration_ms: durationMs,
    result_bytes: resultBytes,
  }
}
