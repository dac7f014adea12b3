import { describe, expect, it } from 'vitest'
import { Baseline, toBaselineTool } from './baseline.ts'

const DROP = { name: 'drop', description: 'Drops it.', annotations: { destructiveHint: true } }
const READ = { name: 'read', annotations: { readOnlyHint: true } }

const baseline = () =>
  new Baseline({ version: 1, tools: [toBaselineTool('s', DROP), toBaselineTool('s', READ)] })

describe('a baseline', () => {
  it('has nothing to say where nothing changed, whatever the order of keys', () => {
    const { annotations, name, description } = DROP
    const own = baseline()
    expect(own.check('s', { annotations, description, name })).toEqual([])
    expect(own.check('s', READ)).toEqual([])
    expect(own.missing()).toEqual([])
  })

  it('says which hints moved which way, and where else something changed', () => {
    const [finding] = baseline().check('s', {
      ...DROP,
      description: 'Drops it!',
      annotations: { destructiveHint: false },
    })
    expect(finding).toMatchObject({
      code: 'baseline-changed',
      level: 'error',
      message: 'it changed; destructiveHint loosened; in description',
    })
  })

  it('knows what is new and what is gone', () => {
    const own = baseline()
    expect(own.check('s', { name: 'other' })).toMatchObject([{ code: 'baseline-added' }])
    expect(own.check('t', READ)).toMatchObject([{ code: 'baseline-added' }])
    own.check('s', READ)
    expect(own.missing().map(({ tool, finding }) => [tool.definition.name, finding.code])).toEqual([
      ['drop', 'baseline-removed'],
    ])
  })
})
