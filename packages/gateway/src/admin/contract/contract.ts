import { z } from 'zod'
import { activityContract, type approval, type call } from './activity.ts'
import { type agent, agentsContract } from './agents.ts'
import type { problemSchema } from './common.ts'
import type { OperationName } from './operations.ts'
import { searchContract } from './search.ts'
import { type server, serversContract } from './servers.ts'
import { type tool, toolsContract } from './tools.ts'
import { toolsetsContract } from './toolsets.ts'

export { ROLES, type Role } from '../../scope/role.ts'
export { OPERATIONS, type OperationName } from './operations.ts'

/**
 * The schemas of an operation's input and output. Parts without a schema are refused; without `response`, the answer is
 * a stream.
 */
export interface Schemas {
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly response?: z.ZodObject
}

/** The schemas of all operations. The server checks requests against them, and the tests check responses. */
export const SCHEMAS = {
  ...toolsContract,
  ...toolsetsContract,
  ...activityContract,
  ...serversContract,
  ...agentsContract,
  ...searchContract,
  events: {},
  openapi: { response: z.looseObject({ openapi: z.string() }) },
} satisfies Readonly<Record<OperationName, Schemas>>

type Part<N extends OperationName, K extends keyof Schemas> = (typeof SCHEMAS)[N] extends {
  readonly [P in K]: infer S extends z.ZodType
}
  ? z.output<S>
  : undefined

export interface Input<N extends OperationName> {
  readonly params: Part<N, 'params'>
  readonly query: Part<N, 'query'>
  readonly body: Part<N, 'body'>
}

export type Output<N extends OperationName> = Part<N, 'response'>

export type Problem = z.output<typeof problemSchema>
export type Approval = z.output<typeof approval>
export type Tool = z.output<typeof tool>
export type ToolPage = Output<'getTool'>
export type VersionDiff = Output<'diffTool'>
export type Waiting = Output<'listReview'>['items'][number]
export type Call = z.output<typeof call>
export type WholeCall = Output<'getActivity'>
export type Session = Output<'listSessions'>['items'][number]
export type Server = z.output<typeof server>
export type ServerPage = Output<'getServer'>
export type Agent = z.output<typeof agent>
export type Overview = Output<'overview'>
export type Policies = Output<'getPolicies'>
