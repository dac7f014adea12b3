import { HINT_NAMES, showUntrusted } from '@hintgate/metadata'
import type { Explanation } from '../../call/explain-call.ts'
import type { StepResult } from '../../policy/step.ts'
import { splitId } from '../../protocol/split-id.ts'
import { readArguments, readVariant } from '../calls/run-call.ts'
import { openLocal } from '../client/local-client.ts'
import { layTable, showJson } from '../show/show-json.ts'
import { type ClientFlags, surviveFaults } from '../terminal/context.ts'
import { type Ending, stopSignal } from '../terminal/output.ts'

interface ExplainFlags extends Omit<ClientFlags, 'url' | 'token'> {
  readonly arg?: readonly string[]
  readonly variant?: string
  readonly session?: string
  readonly kind?: 'tool' | 'resource' | 'prompt'
}

export async function explain(id: string, text: string | undefined, flags: ExplainFlags): Promise<Ending> {
  surviveFaults()
  const stop = stopSignal()
  const args = await readArguments(text, flags.arg ?? [], process.stdin)
  const client = await openLocal(flags, { kind: 'meant', server: splitId(id).server }, stop)
  try {
    await client.ready()
    const imagined = { ...splitId(id), typed: id, args, variant: readVariant(flags.variant) }
    const kind = flags.kind === 'tool' ? undefined : flags.kind
    const explanation = await client.explain(imagined, flags.session, kind)
    return { out: flags.json ? showJson(toJson(id, explanation)) : show(id, explanation) }
  } finally {
    await client.close()
  }
}

function toJson(id: string, explanation: Explanation) {
  if (explanation.kind === 'unresolved') return { tool: id, verdict: 'deny', refusal: explanation.refusal }
  const { facts, path, decision, wrong } = explanation
  const { variant, effective } = facts.tool
  const hints = Object.fromEntries(HINT_NAMES.map(name => [name, effective[name]]))
  return {
    tool: id,
    agent: facts.agent.id,
    session: facts.session,
    variant,
    hints,
    steps: path.map(({ step, result }) => ({ step, ...result })),
    ...decision,
    invalid_arguments: wrong?.message,
  }
}

function show(id: string, explanation: Explanation): string {
  if (explanation.kind === 'unresolved') {
    const { code, message, remedy } = explanation.refusal
    return `${message}\n${remedy}\n\nverdict: deny (${code})\n`
  }
  const { facts, path, decision, wrong } = explanation
  const { variant, effective } = facts.tool
  const hints = HINT_NAMES.map(name => `${name} ${effective[name].value} (${effective[name].source})`)
  const rows = path.flatMap(({ step, result }, at) =>
    describe(result).map((text, line) => [
      line === 0 ? `${at + 1}. ${step}` : '',
      line === 0 ? WORDS[result.kind] : '',
      text,
    ]),
  )
  const lines = [
    `${showUntrusted(id, 160)}, called by ${facts.agent.id} in session ${showUntrusted(facts.session.id, 120)}`,
    `variant: ${variant}`,
    `hints: ${hints.join(', ')}`,
    '',
    ...layTable(rows),
    '',
    ...(wrong === undefined
      ? []
      : [`the call would be refused before anyone is asked: ${wrong.message}`, '']),
    `verdict: ${decision.verdict}${decision.verdict === 'deny' ? ` (${decision.code})` : ''}`,
  ]
  return `${lines.join('\n')}\n`
}

const WORDS = { pass: 'passes', deny: 'denies', ask: 'asks', note: 'notes' } as const

function describe(result: StepResult): readonly string[] {
  switch (result.kind) {
    case 'pass':
      return ['']
    case 'note':
      return result.notes
    default:
      return result.reasons.map(({ rule, source, text }) => `${text}  [${rule}, ${source}]`)
  }
}
