import { describe, expect, it } from 'vitest'
import type { LogSettings } from '../base/log-levels.ts'
import { createLog, readLogSettings } from './log.ts'

function collect(settings: LogSettings) {
  const written: string[] = []
  return { written, log: createLog(settings, text => written.push(text)) }
}

describe('the log', () => {
  it('writes plain lines in text format', () => {
    const { log, written } = collect({ format: 'text', level: 'info' })
    log.say('files is ready', { server: 'files' })
    log.say('internal error: oh', { level: 'error', requestId: 'x-1' })
    expect(written).toEqual(['hintgate: files is ready\n', 'hintgate: internal error: oh (request x-1)\n'])
  })

  it('writes one JSON object per line in json format, whatever the text contains', () => {
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

  it('leaves out lines below the level', () => {
    const { log, written } = collect({ format: 'text', level: 'warn' })
    log.say('the daily news')
    log.say('trouble', { level: 'warn' })
    expect(written).toEqual(['hintgate: trouble\n'])
    expect([log.hears('error'), log.hears('debug')]).toEqual([true, false])
  })

  it('masks credentials in quoted text', () => {
    const token = `hg_agent_${'a1B2c3D4'.repeat(5)}abc`
    for (const format of ['text', 'json'] as const) {
      const { log, written } = collect({ format, level: 'info' })
      log.say(`files is down: it was given ${token}`)
      expect(written.join('')).toContain('it was given')
      expect(written.join('')).not.toContain(token)
    }
  })
})

describe('the log settings', () => {
  const config = { format: 'text', level: 'info' } as const

  it('are taken from the command line, then from the environment, then from the config', () => {
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

  it('are refused when unknown', () => {
    expect(() => readLogSettings({ config, env: 'jsno', format: undefined })).toThrow(/HINTGATE_LOG.*json/)
    expect(() => readLogSettings({ config, env: undefined, format: 'xml' })).toThrow(/--log-format.*json/)
  })
})
