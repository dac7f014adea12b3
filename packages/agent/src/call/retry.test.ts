import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { AgentError } from '../errors.ts'
import { classifyFailure } from './classify-failure.ts'
import { type Retrying, sendWithRetries } from './retry.ts'

const LOST = new SdkError(SdkErrorCode.ConnectionClosed, 'closed')

function retrying(failures: readonly unknown[], more: Partial<Retrying<string>> = {}) {
  const left = [...failures]
  const seen: number[] = []
  const retry: Retrying<string> = {
    retry: { attempts: 3, delayMs: 1, maxDelayMs: 2 },
    timeoutMs: 5000,
    signal: undefined,
    mayRepeat: () => true,
    recover: async () => {},
    random: () => 1,
    send: async (_timeoutMs, attempt) => {
      seen.push(attempt)
      const failure = left.shift()
      if (failure !== undefined) throw failure
      return 'answer'
    },
    ...more,
  }
  return { seen, run: () => sendWithRetries(retry) }
}

async function errorOf(run: () => Promise<unknown>): Promise<AgentError> {
  const error = await run().catch((thrown: unknown) => thrown)
  if (error instanceof AgentError) return error
  throw new Error('it was answered')
}

describe('sendWithRetries', () => {
  it('retries until there is an answer, and counts the attempts', async () => {
    const { run } = retrying([LOST, LOST])
    expect(await run()).toEqual({ result: 'answer', attempts: 3 })
  })

  it('gives up after the last attempt', async () => {
    const { seen, run } = retrying([LOST, LOST, LOST, LOST])
    expect((await errorOf(run)).facts.attempts).toBe(3)
    expect(seen).toEqual([1, 2, 3])
  })

  it('does not retry a call that must not be repeated', async () => {
    const { seen, run } = retrying([LOST], { mayRepeat: neverArrived => neverArrived })
    expect(await errorOf(run)).toMatchObject({ code: 'upstream_unavailable', mayHaveRun: true })
    expect(seen).toEqual([1])
  })

  it('reports that an earlier attempt may have arrived', async () => {
    const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
    const asked: boolean[] = []
    const mayRepeat = (neverArrived: boolean) => asked.push(neverArrived) > 0
    const { run } = retrying([refused, LOST, refused], { mayRepeat })
    expect((await errorOf(run)).mayHaveRun).toBe(true)
    expect(asked).toEqual([true, false])
  })

  it('does not start a delay that would end after the deadline', async () => {
    const startedAt = performance.now()
    const slow = { retry: { attempts: 3, delayMs: 60_000, maxDelayMs: 60_000 }, timeoutMs: 1000 }
    const { seen, run } = retrying([LOST], slow)
    await errorOf(run)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect(seen).toEqual([1])
  })
})

describe('classifyFailure', () => {
  const http = (status: number) => new SdkHttpError(SdkErrorCode.SendFailed, 'no', { status })

  it.each([
    ['a closed connection', LOST, 'upstream_unavailable', true, true],
    ['a deadline', new SdkError(SdkErrorCode.RequestTimeout, 'late'), 'upstream_timeout', false, true],
    ['a refused connection', { code: 'ECONNREFUSED' }, 'upstream_unavailable', true, false],
    ['a reset connection', { code: 'ECONNRESET' }, 'upstream_unavailable', true, true],
    ['a lost session', http(404), 'upstream_unavailable', true, false],
    ['a bad gateway', http(502), 'upstream_unavailable', true, true],
    ['an error of the server', http(500), 'upstream_protocol', false, true],
    ['a wrong credential', http(401), 'upstream_unavailable', false, false],
    ['too many requests', http(429), 'rate_limited', false, false],
    ['a bad request', http(400), 'upstream_protocol', false, false],
    ['no connection', new AgentError('connect_failed', 'x'), 'connect_failed', true, false],
  ] as const)('classifies %s', (_what, cause, code, isTransport, mayHaveRun) => {
    const error = cause instanceof Error ? cause : Object.assign(new TypeError('fetch failed'), { cause })
    expect(classifyFailure(error, undefined)).toMatchObject({ code, isTransport, mayHaveRun })
  })

  it('classifies every failure of a cancelled call as cancelled', () => {
    expect(classifyFailure(LOST, AbortSignal.abort()).code).toBe('cancelled')
  })
})
