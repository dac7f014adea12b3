import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inferTool, LEARNED_QUESTIONS } from './infer-tool.ts'
import { INFERENCE_RULES } from './inference-rules.ts'

const text = readFileSync(new URL('./weights.json', import.meta.url), 'utf8')
const table = JSON.parse(text) as {
  about: { rows: number; groups: number; data: string; unseen: Record<string, number> }
  questions: string[]
  weights: Record<string, number[]>
}

describe('the learned weights', () => {
  it('say where they come from, answer every question, and stay small', () => {
    expect(table.about.rows).toBeGreaterThan(1000)
    expect(table.about.data).toMatch(/^[0-9a-f]{64}$/)
    expect(table.about.unseen.readOnly).toBeGreaterThan(0.9)
    expect(table.questions).toEqual([...LEARNED_QUESTIONS])
    expect(text.length).toBeLessThan(300_000)
    for (const own of Object.values(table.weights)) expect(own).toHaveLength(LEARNED_QUESTIONS.length)
  })

  it('hold single words and pairs, rules and operations: never the whole name of a tool', () => {
    const rules = Object.values(INFERENCE_RULES).flatMap(list =>
      list.map(rule => ('id' in rule ? rule.id : '')),
    )
    const known = /^(?:rules|does|action)\.[\w-]+(?:@\w+\+?)?$|^opaque$|^phrase\.negated-verb$/
    for (const id of Object.keys(table.weights)) {
      const words = /^(?:name|text|with)[:^$](.*)$/.exec(id)?.[1]?.split(' ')
      if (words !== undefined) expect(words.length).toBeLessThanOrEqual(2)
      else expect(known.test(id) || rules.includes(id.replace(/@.*$/, '')), id).toBe(true)
    }
  })
})

describe('what is never a read, whatever was learned', () => {
  const withParameter = (name: string, parameter: string, description = '') => ({
    name,
    description,
    inputSchema: { type: 'object', properties: { [parameter]: { type: 'string' } } },
  })

  it.each([
    ['a deletion', { name: 'delete_list', description: 'Lists, reads, gets and shows files. Read only.' }],
    ['a query in SQL', withParameter('query_database', 'sql', 'Gets rows.')],
    ['a query whose description says SQL', { name: 'query_table', description: 'Query a table with SQL.' }],
    ['a command line', withParameter('run', 'command', 'Shows the output.')],
    ['a file written to disk', withParameter('get_report', 'output_path', 'Gets a report.')],
  ])('%s', (_, tool) => {
    expect(inferTool(tool).readOnly.value).toBe(false)
    expect(inferTool(tool).readOnly.confidence).toBeGreaterThanOrEqual(0.7)
  })

  it('does not include a query that promises to be read-only', () => {
    const tool = withParameter('query_database', 'sql', 'Runs a read-only SQL query.')
    expect(inferTool(tool).readOnly.value).toBe(true)
  })
})
