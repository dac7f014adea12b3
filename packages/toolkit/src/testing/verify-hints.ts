import { HINT_NAMES, HINTS, type HintValues } from '@hintgate/metadata'
import { META_EFFECTS } from '../call/judge-effects.ts'
import type { ReadyTool } from '../call/ready-tool.ts'
import type { ToolResult } from '../call/results.ts'
import type { Ready } from '../start/ready.ts'
import { findChanges, findLosses, freeze } from './compare-states.ts'
import { createTestClient, type Startable, type TestClient, type TestClientOptions } from './test-client.ts'

type Args = Readonly<Record<string, unknown>>

/** The state that the tools read and change. */
export interface State {
  /** Returns everything that the tools can change: objects, lists, maps and sets. */
  snapshot(): unknown
  /** Restores the initial state. Called before every case. */
  reset?(): unknown
}

export interface Verification extends Pick<TestClientOptions, 'env' | 'answer'> {
  readonly state: State | State['snapshot']
  /** For each tool, the arguments of one call or of several calls. */
  readonly cases: Readonly<Record<string, Args | readonly Args[]>>
}

export interface Violation {
  readonly tool: string
  readonly args: Args
  readonly code: 'readonly-changed' | 'idempotent-changed' | 'destroyed' | 'preview-changed' | 'case-failed'
  readonly message: string
  /** The paths at which the state changed or lost data. Empty if the failure is in the call itself. */
  readonly paths: readonly string[]
}

export interface VerifiedHints {
  readonly calls: number
  /** Tools for which there is no case. */
  readonly uncovered: readonly string[]
}

/** Thrown if tools violate their hints, with all violations. */
export class HintsBroken extends Error {
  readonly violations: readonly Violation[]

  constructor(violations: readonly Violation[]) {
    const lines = violations.map(({ tool, args, message }) => `  ${tool} ${JSON.stringify(args)}: ${message}`)
    super([`The tools violate their hints (${violations.length}):`, ...lines].join('\n'))
    this.name = 'HintsBroken'
    this.violations = violations
  }
}

/**
 * Runs tools on the author's state. Throws if a read-only tool or a preview changed the state, if the second call to an
 * idempotent tool changed it again, if a non-destructive tool lost data, or if a call failed.
 *
 * @example
 * await verifyHints(notes, { state: () => store, cases: { search_notes: { query: 'milk' }, delete_note: [{ id: '1' }] } })
 */
export async function verifyHints(toolkit: Startable, verification: Verification): Promise<VerifiedHints> {
  const ready = toolkit.start(verification.env)
  const trial = new Trial(createTestClient(toolkit, verification), ready, verification.state)
  const cases = Object.entries(verification.cases).flatMap(([tool, args]) =>
    (isList(args) ? args : [args]).map(one => ({ tool, args: one })),
  )
  const violations: Violation[] = []
  // Cases run one at a time, because they share one state.
  for (const { tool, args } of cases) violations.push(...(await trial.run(tool, args)))
  if (violations.length > 0) throw new HintsBroken(violations)
  const called = new Set(cases.map(({ tool }) => tool))
  const uncovered = [...ready.tools.values()].filter(({ entry }) => entry.previewOf === undefined)
  return {
    calls: cases.length,
    uncovered: uncovered.map(({ entry }) => entry.name).filter(name => !called.has(name)),
  }
}

function isList(value: Args | readonly Args[]): value is readonly Args[] {
  return Array.isArray(value)
}

/** Runs one case: the preview, the call, and the same call again. */
class Trial {
  readonly #client: TestClient
  readonly #tools: ReadonlyMap<string, ReadyTool>
  readonly #state: Verification['state']

  constructor(client: TestClient, { tools }: Ready, state: Verification['state']) {
    this.#client = client
    this.#tools = tools
    this.#state = state
  }

  async run(tool: string, args: Args): Promise<Violation[]> {
    await this.#reset()
    const before = await this.#snapshot()
    const broken = (code: Violation['code'], message: string, paths: readonly string[] = []): Violation => ({
      tool,
      args,
      code,
      message: paths.length === 0 ? message : `${message}: ${paths.slice(0, 10).join(', ')}`,
      paths,
    })
    const found: Violation[] = []
    if (this.#tools.has(`preview_${tool}`)) {
      await this.#client.call(`preview_${tool}`, args)
      const changed = findChanges(before, await this.#snapshot())
      if (changed.length > 0) found.push(broken('preview-changed', 'the preview changed state', changed))
    }
    const start = await this.#snapshot()
    const result = await this.#client.call(tool, args)
    if (result.isError === true)
      return [...found, broken('case-failed', `the call failed: ${textOf(result)}`)]
    const hints = { ...this.#tools.get(tool)?.entry.hints, ...readEffects(result) }
    const after = await this.#snapshot()
    const [changed, lost] = [findChanges(start, after), findLosses(start, after)]
    if (hints.readOnly === true && changed.length > 0)
      found.push(broken('readonly-changed', 'a read-only tool changed the state', changed))
    if (hints.destructive === false && lost.length > 0)
      found.push(broken('destroyed', 'a non-destructive tool lost data', lost))
    if (hints.idempotent !== true) return found
    // The second call may fail. Only the state matters.
    await this.#client.call(tool, args)
    const again = findChanges(after, await this.#snapshot())
    if (again.length > 0)
      found.push(
        broken('idempotent-changed', 'the second call to an idempotent tool changed the state', again),
      )
    return found
  }

  async #snapshot(): Promise<unknown> {
    return freeze(await (typeof this.#state === 'function' ? this.#state() : this.#state.snapshot()))
  }

  async #reset(): Promise<void> {
    if (typeof this.#state !== 'function') await this.#state.reset?.()
  }
}

/** Returns the effects that this call reported, if any. */
function readEffects({ _meta }: ToolResult): HintValues {
  const effects = _meta?.[META_EFFECTS]
  if (typeof effects !== 'object' || effects === null) return {}
  const said = new Map<string, unknown>(Object.entries(effects))
  const flags = HINT_NAMES.flatMap(hint => {
    const value = said.get(HINTS[hint].wire)
    return typeof value === 'boolean' ? [[hint, value]] : []
  })
  return Object.fromEntries(flags)
}

function textOf({ content }: ToolResult): string {
  return content.map(part => (part.type === 'text' ? part.text : `(${part.type})`)).join(' ')
}
