import { describe, expect, it } from 'vitest'
import type { LogSettings } from '../base/log-levels.ts'
import { createLog, readLogSettings } from './log.ts'

function collect(settings: LogSettings) {
  const written: string[] = []
  return { written, log: createLog(settings, text => written.push(text)) }
}

describe('the log', () => {
  it('writes lines for people, as it always did', () => {
    const { log, written } = collect({ format: 'text', level: 'info' })
    log.say('files is ready', { server: 'files' })
    log.say('a fault of ours: oh', { level: 'error', requestId: 'x-1' })
    expect(written).toEqual(['hintgate: files is ready\n', 'hintgate: a fault of ours: oh (request x-1)\n'])
  })

  it('writes one JSON object a line for programs, whatever the words are', () => {
    const { log, written } = collect({ format: 'json', level: 'info' })
    log.say('down:\nE "quoted" \u2028', { level: 'warn', server: 'files', requestId: 'x-1' })
    expect(written).toHaveLength(1)
    expect(written[0]?.trimEnd()).not.toContain('\n')
    expect(JSON.parse(written[0] ?? '')).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: 'warn',
      msg: 'down:\nE "quoted" \u2028',
      request_id: 'x-1',
      server: 'files',
    })
  })

  it('leaves out what nobody asked for', () => {
    const { log, written } = collect({ format: 'text', level: 'warn' })
    log.say('the daily news')
    log.say('trouble', { level: 'warn' })
    expect(written).toEqual(['hintgate: trouble\n'])
    expect([log.hears('error'), log.hears('debug')]).toEqual([true, false])
  })

  it('masks a credential in the words of others', () => {
    const token = `hg_agent_${'a1B2c3D4'.repeat(5)}abc`
    for (const format of ['text', 'json'] as const) {
      const { log, written } = collect({ format, level: 'info' })
      log.say(`files is down: it was given ${token}`)
      expect(written.join('')).toContain('it was given')
      expect(written.join('')).not.toContain(token)
    }
  })
})

describe('what the log is like', () => {
  const config = { format: 'text', level: 'info' } as const

  it('is said by the command line, then the environment, then the config', () => {
    expect(readLogSettings({ config, env: undefined, format: undefined })).toEqual(config)
    expect(readLogSettings({ config, env: 'json, debug', format: undefined })).toEqual({
      format: 'json',
      level: 'debug',
    })
    expect(readLogSettings({ config, env: 'json', format: 'text' })).toEqual(config)
    expect(readLogSettings({ config, env: 'warn', format: 'json' })).toEqual({
      format: 'json',
      level: 'warn',
    })
  })

  it('is not guessed', () => {
    expect(() => readLogSettings({ config, env: 'jsno', format: undefined })).toThrow(/HINTGATE_LOG.*json/)
    expect(() => readLogSettings({ config, env: undefined, format: 'xml' })).toThrow(/--log-format.*json/)
  })
})
