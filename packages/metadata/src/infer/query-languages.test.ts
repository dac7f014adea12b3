import { describe, expect, it } from 'vitest'
import { inferTool } from './infer-tool.ts'

const LANGUAGES = [
  'SQL',
  'T-SQL',
  'HiveQL',
  'Cypher',
  'GraphQL',
  'SPARQL',
  'Gremlin',
  'N1QL',
  'Flink SQL',
  'CQL',
]
const PARAMETERS = ['query', 'statement', 'sql', 'q', 'queryString', 'query_text', 'graphql', 'input', 'body']

const tool = (name: string, description: string, parameter: string, told?: string) => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: {
      [parameter]: { type: 'string', ...(told === undefined ? {} : { description: told }) },
      limit: { type: 'integer' },
    },
  },
})

/** The places in which an author can say that a parameter holds a query, for each language and name of the parameter. */
function listForms() {
  return LANGUAGES.flatMap(language =>
    PARAMETERS.flatMap(parameter => [
      tool('query_dataset', `Query a dataset with ${language}.`, parameter),
      tool(
        'query_warehouse',
        'Query the warehouse and return the rows.',
        parameter,
        `The ${language} query.`,
      ),
      tool('get_rows', `Fetches rows by running a ${language} query.`, parameter),
      tool('search_records', 'Search the records.', parameter, `${language} to execute against the store`),
      tool('read_data', `Executes the given ${language} text and lists the results.`, parameter),
      tool('analytics_query', `Run a ${language} query to analyse your events.`, parameter, 'the query'),
      tool(`query_${language.toLowerCase().replaceAll(/\W/g, '_')}`, 'Returns matching rows.', parameter),
    ]),
  )
}

describe('a query in a language that can also write', () => {
  it('is never inferred to be a read, whatever the name and wherever the language is named', () => {
    const reads = listForms().filter(definition => inferTool(definition).readOnly.value)
    expect(reads.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties)[0]])).toEqual([])
    expect(listForms()).toHaveLength(630)
  })

  it('counts as opaque, with the parameter as evidence', () => {
    const { operations, readOnly } = inferTool(
      tool('query_dataset', 'Query a dataset.', 'query', 'SQL to run'),
    )
    expect(operations.value).toContain('opaque')
    expect(readOnly.evidence[0]).toEqual({ rule: 'param.sql', from: 'parameter', text: 'query' })
  })

  it.each([
    tool('query_dataset', 'Run a read-only SQL query.', 'query'),
    tool('query_dataset', 'Run a query.', 'query', 'A read-only SQL query to run'),
    tool('query_dataset', 'Run a query.', 'query', 'SQL query (only SELECT statements)'),
  ])('may be a read if the author promises that it is one', definition => {
    expect(inferTool(definition).readOnly.value).toBe(true)
  })

  it('is no promise if the parameter also takes writes', () => {
    const told = 'SQL: SELECT queries, INSERT and UPDATE'
    expect(inferTool(tool('query_dataset', 'Query a dataset.', 'query', told)).readOnly.value).toBe(false)
  })

  it.each([
    tool('explain_query', 'Explains the plan of a SQL query.', 'query', 'The SQL query'),
    tool('get_plan', 'Gets the plan of a query.', 'query', 'SQL query to explain'),
    tool('query_logs', 'Query logs with KQL.', 'query', 'The KQL query to run'),
    tool('query_metrics', 'Run a PromQL query.', 'query', 'PromQL'),
    tool('search_sql_docs', 'Search the documentation of SQL.', 'term', 'What to look for'),
  ])('is not seen where a query is only studied, or cannot write', definition => {
    expect(inferTool(definition).readOnly.value).toBe(true)
  })
})
