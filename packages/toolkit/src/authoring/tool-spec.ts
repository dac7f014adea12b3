import type { Behavior, Category, HintValues, Operation, Preset, ServiceDomain } from '@hintgate/metadata'
import type { Icon } from '@modelcontextprotocol/server'
import type { Context } from '../call/context.ts'
import type { ToolResult } from '../call/results.ts'
import type { ArgumentsOf, Input } from '../input/input.ts'

type Answer = ToolResult | Promise<ToolResult>

/** Hints in the specification's own words. */
export interface Annotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** What one call does, where its arguments tell more than the tool's hints can. */
export interface Effects extends HintValues {
  readonly operations?: readonly Operation[]
}

/** An argument of the tool itself that makes a call a rehearsal. */
export interface DryRun {
  readonly argument: string
  /** What the argument is set to; `true` unless said otherwise. */
  readonly value?: unknown
}

/** Everything about a tool but its hints. */
export interface ToolSpec<Env, I extends Input, O extends Input> {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** A shape such as `{ id: z.string() }`, or any Standard Schema. */
  readonly input?: I
  /** What `structuredContent` looks like. */
  readonly output?: O
  /** A sentence for activity feeds: `Deleted contact {id}`. */
  readonly action?: string
  readonly tags?: readonly string[]
  /** Any JSON that the author's own systems need. */
  readonly extras?: Readonly<Record<string, unknown>>
  readonly icons?: readonly Icon[]
  /** The author's own `_meta`; keys under `io.hintgate/` are ours. */
  readonly _meta?: Readonly<Record<string, unknown>>
  execute(ctx: Context<Env>, args: ArgumentsOf<I>): Answer
  /**
   * What would happen. A function becomes the read-only tool `preview_NAME` beside this one; `{ argument }` names
   * an argument of this tool that `execute` takes as a rehearsal.
   */
  readonly preview?: DryRun | ((ctx: Context<Env>, args: ArgumentsOf<I>) => Answer)
  /** What this one call does: less than the hints say, or more. */
  effects?(args: ArgumentsOf<I>): Effects
}

/** The hints of a tool, in whichever form is nearest to hand. What stands further down here overrules. */
export interface Claims<
  P extends Preset = Preset,
  C extends Category = Category,
  A extends Annotations = Annotations,
  B extends Behavior = Behavior,
  S extends boolean = boolean,
  D extends readonly ServiceDomain[] = readonly ServiceDomain[],
> {
  /** A kind of tool: `send-message`, `search`… */
  readonly preset?: P
  /** `read`, `write` or `delete`. */
  readonly category?: C
  readonly annotations?: A
  readonly behavior?: B
  /** `false` lets contradictions through; they are still told. */
  readonly strict?: S
  /** For the rare tool that talks to another service than its toolkit, or to none. */
  readonly serviceDomains?: D
}

type Untyped = Omit<ToolSpec<unknown, Input, Input>, 'execute' | 'preview' | 'effects'>

/** A tool whose types nobody needs any more. */
export interface AnyTool extends Untyped, Claims {
  execute(ctx: never, args: never): Answer
  readonly preview?: DryRun | ((ctx: never, args: never) => Answer)
  effects?(args: never): Effects
}
