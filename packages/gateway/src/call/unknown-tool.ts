import type { Refusal } from './outcome.ts'

/** The same words whether a tool does not exist or is out of the caller's scope: nobody learns what is there by asking. */
export function unknownTool(typed: string, meant?: string): Refusal {
  const remedy = 'List the tools again; if the tool should be there, ask for a token whose scope includes it.'
  return {
    code: 'unknown_tool',
    message: `There is no tool ${JSON.stringify(typed)} for you to call.`,
    tool: typed,
    verdict: 'deny',
    reasons: [{ rule: 'scope', source: 'token', text: 'no such tool within the scope of this token' }],
    remedy: meant === undefined ? remedy : `Did you mean ${JSON.stringify(meant)}? ${remedy}`,
  }
}
