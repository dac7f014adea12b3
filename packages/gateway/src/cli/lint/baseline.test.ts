import { describe, expect, it } from 'vitest'
import { Baseline, toBaselineTool } from './baseline.ts'

const DROP = { name: 'drop', description: 'Drops it.', annotations: { destructiveHint: true } }
const READ = { name: 'read', annotations: { readOnlyHint: true } }

const baseline = () =>
  new Baseline({ version: 1, tools: [toBaselineTool('s', DROP), toBaselineTool('s', READ)] })

describe('a baseline', () => {
  it('reports nothing if only the order of keys changed', () => {
    const { annotations, name, description } = DROP
    const own = baseline()
    expect(own.check('s', { annotations, description, name })).toEqual([])
    expect(own.check('s', READ)).toEqual([])
    expect(own.missing()).toEqual([])
  })

  it('reports which hints loosened or tightened, and which fields changed', () => {
    const [finding] = baseline().check('s', {
      ...DROP,
      description: 'Drops it!',
      annotations: { destructiveHint: false },
    })
    expect(finding).toMatchObject({
      code: 'baseline-changed',
      level: 'error',
      message: 'the tool changed; destructiveHint loosened; in description',
    })
  })

  it('reports added and removed tools', () => {
    const own = baseline()
    expect(own.check('s', { name: 'other' })).toMatchObject([{ code: 'baseline-added' }])
    expect(own.check('t', READ)).toMatchObject([{ code: 'baseline-added' }])
    own.check('s', READ)
    expect(own.missing().map(({ tool, finding }) => [tool.definition.name, finding.code])).toEqual([
      ['drop', 'baseline-removed'],
    ])
  })
})
