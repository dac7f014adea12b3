import {
  Client,
  ProtocolError,
  type Request,
  type RequestMethod,
  type RequestOptions,
  type ResultTypeMap,
  type StandardSchemaV1,
} from '@modelcontextprotocol/client'
import { AgentError } from '../errors.ts'
import { isJsonObject, type Json } from '../json.ts'
import { JSON_AS_SENT, RESULT_AS_SENT, TOOLS_AS_SENT } from './as-sent.ts'

/** Answers the questions that a server asks during a call: takes `inputRequests`, and returns `inputResponses`. */
export type AnswerInput = (requests: Json) => Promise<Json>

/** Options of `callTool`, including the function that answers questions in this call. */
export interface CallOptions extends RequestOptions {
  readonly answerInput?: AnswerInput
}

/** Maximum number of times that a server can ask for input during one call. */
const MAX_ROUNDS = 10

/**
 * The SDK's client, except that results are left unchanged and that it handles `input_required` itself. The SDK's own
 * handling does not say which call a question belongs to, which the person who answers needs to know.
 */
export class RawClient extends Client {
  override request<M extends RequestMethod>(
    request: { method: M; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[M]>
  override request<T extends StandardSchemaV1>(
    request: Request,
    resultSchema: T,
    options?: RequestOptions,
  ): Promise<StandardSchemaV1.InferOutput<T>>
  override request(
    request: Request,
    schemaOrOptions?: StandardSchemaV1 | RequestOptions,
    options?: RequestOptions,
  ): Promise<unknown> {
    if (isSchema(schemaOrOptions)) return super.request(request, schemaOrOptions, options)
    const given = schemaOrOptions ?? {}
    if (request.method === 'tools/list') return super.request(request, TOOLS_AS_SENT, given)
    if (request.method === 'tools/call') return this.#call(request, given)
    const { method, params } = request
    return super.request({ method: method as RequestMethod, ...(params && { params }) }, given)
  }

  /** Sends a request about a task, which the SDK does not know. */
  about(method: string, params: Json, options: RequestOptions): Promise<Json> {
    return super.request({ method, params: { ...params } }, JSON_AS_SENT, options)
  }

  async #call(request: Request, options: CallOptions = {}): Promise<Json> {
    const { answerInput, ...rest } = options
    let asked = request
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const result = await this.#send(asked, { ...rest, allowInputRequired: true })
      if (result.resultType !== 'input_required') return result
      const { inputRequests, requestState } = result
      const requests = isJsonObject(inputRequests) ? inputRequests : {}
      const inputResponses = await (answerInput ?? cannotAnswer)(requests)
      const state = requestState === undefined ? {} : { requestState }
      asked = { ...request, params: { ...request.params, inputResponses, ...state } }
    }
    const text = `The server asked for input ${MAX_ROUNDS} times without giving a result`
    throw new AgentError('upstream_protocol', text, { mayHaveRun: true })
  }

  /** Converts errors that the server sent, which distinguishes them from the SDK's own errors about a result. */
  async #send(request: Request, options: RequestOptions): Promise<Json> {
    try {
      return await super.request(request, RESULT_AS_SENT, options)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      const { code, message, data } = error
      const rpc = { code, message, ...(data === undefined ? {} : { data }) }
      throw new AgentError('rpc_error', message, { rpc, cause: error })
    }
  }
}

async function cannotAnswer(): Promise<never> {
  const text = 'The server asked a question during the call, and there is no `elicit` callback to answer it'
  throw new AgentError('confirmation_required', text)
}

function isSchema(value: unknown): value is StandardSchemaV1 {
  return typeof value === 'object' && value !== null && '~standard' in value
}
