import type { Refusal } from '../exchange/outcome.ts'

/** What is longer is no name, and would be sent back several times. */
const LONGEST_SHOWN = 300

/** The same words whether a tool does not exist or is out of the caller's scope: nobody learns what is there by asking. */
export function unknownTool(typed: string, meant?: string): Refusal {
  const tool = typed.length <= LONGEST_SHOWN ? typed : `${typed.slice(0, LONGEST_SHOWN)}…`
  const remedy = 'List the tools again; if the tool should be there, ask for a token whose scope includes it.'
  return {
    code: 'unknown_tool',
    message: `There is no tool ${JSON.stringify(tool)} for you to call.`,
    tool,
    verdict: 'deny',
    reasons: [{ rule: 'scope', source: 'token', text: 'no such tool within the scope of this token' }],
    remedy: meant === undefined ? remedy : `Did you mean ${JSON.stringify(meant)}? ${remedy}`,
  }
}
