import { type Issue, showIssues } from '../input/issues.ts'
import type { ToolEntry } from '../start/entries.ts'
import { confirmRaised } from './confirm-raised.ts'
import { CallContext } from './context.ts'
import { describeError, explainError } from './explain-error.ts'
import { effectsOnWire, type JudgedEffects, judgeEffects, META_EFFECTS } from './judge-effects.ts'
import { type Question, QuestionOpen } from './question.ts'
import { type ReadyTool, write } from './ready-tool.ts'
import { errorResult, type ToolResult } from './results.ts'
import type { Wire } from './wire.ts'

export type Ending =
  | { readonly kind: 'answered'; readonly result: ToolResult }
  | { readonly kind: 'asks'; readonly question: Question }

/** Runs one call. The promise does not reject, whatever the tool does. */
export async function runTool(tool: ReadyTool, args: unknown, wire: Wire): Promise<Ending> {
  try {
    return { kind: 'answered', result: await execute(tool, args, wire) }
  } catch (error) {
    if (error instanceof QuestionOpen) return { kind: 'asks', question: error.question }
    return { kind: 'answered', result: errorResult(explainError(error, tool, wire.signal)) }
  }
}

async function execute(tool: ReadyTool, given: unknown, wire: Wire): Promise<ToolResult> {
  const { entry, env } = tool
  const checked = entry.input.check(given ?? {})
  const verdict = checked instanceof Promise ? await checked : checked
  if (verdict.issues) return refuseArguments(entry.name, verdict.issues)
  const ctx = new CallContext({
    env,
    wire,
    write: (level, message, data) => write(tool, level, message, data),
  })
  // The schema has checked the value, but entries no longer carry the author's type.
  const args = verdict.value as never
  const effects = entry.effects === undefined ? undefined : findEffects(tool, args)
  if (effects !== undefined && effects.raised.length > 0) {
    const refusal = await confirmRaised(entry, effects, ctx)
    if (refusal !== undefined) return errorResult(refusal)
  }
  const result = await entry.execute(ctx as never, args)
  if (entry.output !== undefined) await checkOutput(entry.output, result)
  if (effects === undefined) return result
  return { ...result, _meta: { ...result._meta, [META_EFFECTS]: effectsOnWire(effects) } }
}

function refuseArguments(name: string, issues: readonly Issue[]): ToolResult {
  const message = `Invalid arguments for ${name}: ${showIssues(issues)}`
  return errorResult({ code: 'invalid_arguments', message, details: issues })
}

/**
 * Returns the effects of this call if the tool reports them. If that fails, the reason is logged, and the tool's hints
 * apply.
 */
function findEffects(tool: ReadyTool, args: never): JudgedEffects | undefined {
  const { entry } = tool
  try {
    const claimed = entry.effects?.(args) ?? {}
    const judged = judgeEffects(entry.hints, claimed)
    if (judged === undefined)
      write(tool, 'warning', "the effects contradict each other, so the tool's hints apply", claimed)
    return judged
  } catch (error) {
    write(tool, 'warning', "the effects function failed, so the tool's hints apply", describeError(error))
    return undefined
  }
}

async function checkOutput(output: NonNullable<ToolEntry['output']>, result: ToolResult): Promise<void> {
  if (result.isError === true) return
  const verdict = await output.check(result.structuredContent)
  if (verdict.issues) throw new Error(`The result does not match \`output\`: ${showIssues(verdict.issues)}`)
}
