import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../config/load-config.ts'
import { checkRules } from './check-config.ts'

describe('the check of policies and guardrails', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-check-rules-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const check = (config: object) => {
    const path = join(folder, 'hintgate.json')
    writeFileSync(path, JSON.stringify(config))
    return checkRules(loadConfig({ path, env: {}, cwd: folder, homeDir: folder }))
  }
  const BROKEN_GUARDRAIL = { rule: 'keyword_blok' }

  it('finds nothing without rules', async () => {
    expect(await check({})).toEqual([])
  })

  it('reports a problem in a policy with its location', async () => {
    writeFileSync(join(folder, 'rules.yaml'), 'rules:\n  - nam: x\n')
    const found = await check({ policies: ['rules.yaml'] })
    expect(found[0]).toMatchObject({ code: 'policy_invalid', level: 'error' })
    expect(found[0]?.text).toMatch(/^rules\.yaml:\d+:\d+: /)
  })

  it('reports guardrails even if a policy file is missing', async () => {
    const found = await check({ policies: ['gone.yaml'], guardrails: [BROKEN_GUARDRAIL] })
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set(['policy_invalid', 'config_invalid']))
  })
})
