import type { HintValues, ToolDefinition } from '@hintgate/metadata'
import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/server'
import type { Effects } from '../authoring/tool-spec.ts'
import type { Context } from '../call/context.ts'
import type { ToolResult } from '../call/results.ts'
import type { CheckedInput } from '../input/checked-input.ts'
import type { Input } from '../input/input.ts'
import type { Home } from './home.ts'

/** Entries do not carry the types of arguments and environment, both of which are checked before a tool runs. */
type Run<T> = (ctx: never, args: never) => T | Promise<T>

/** A tool as it is served. */
export interface ToolEntry {
  readonly name: string
  readonly home: Home
  /** The complete definition, as it is sent to clients. */
  readonly definition: ToolDefinition
  /** The declared hints, with which the effects of each call are compared. */
  readonly hints: HintValues
  readonly input: CheckedInput
  readonly output: CheckedInput | undefined
  readonly execute: Run<ToolResult>
  readonly effects: ((args: never) => Effects) | undefined
  /** The tool that this tool previews. Set only on previews, which have no effects themselves. */
  readonly previewOf: string | undefined
}

export interface ResourceEntry {
  readonly name: string
  readonly home: Home
  readonly uri: string
  readonly isTemplate: boolean
  readonly metadata: Readonly<Record<string, unknown>>
  readonly read: (ctx: Context<unknown>, uri: URL, variables: Variables) => Promise<ReadResourceResult>
}

export type Variables = Readonly<Record<string, string | string[]>>

export interface PromptEntry {
  readonly name: string
  readonly home: Home
  readonly title: string | undefined
  readonly description: string | undefined
  readonly input: Input | undefined
  readonly render: (ctx: Context<unknown>, args: never) => Promise<GetPromptResult>
}
