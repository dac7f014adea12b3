import type { ToolDefinition } from '../definition/tool-definition.ts'
import type { Evidence } from './inference.ts'
import { type Parameter, readOwn } from './read-schema.ts'
import { listWords } from './word-list.ts'

/** Parameters that can hold a whole query. */
const QUERY_PARAMETERS: ReadonlySet<string> = new Set(
  listWords(
    'query queries q query_string query_text query_body raw_query statement statements sql sql_query sql_text sql_statement ' +
      'sql_string sqls cypher cypher_query graphql graphql_query gql mutation sparql gremlin document operation expression ' +
      'text input script code request body content command batch payload',
  ),
)

/**
 * Matches the names of query languages that can also write. Others, such as KQL, PromQL, SOQL and JQL, can only read.
 */
const WRITING_LANGUAGE =
  /\b(?:(?:t-?|pl\/?|pg|k|flink ?|spark ?|hive ?|soda ?)?sql|sqlpp|hiveql|hql|cql|n1ql|aql|partiql|surrealql|cypher|opencypher|gql|graphql|gremlin|sparql|dml|ddl|mutations?)\b/
const RUNS =
  /\b(?:run|runs|running|ran|execut\w{1,6}|perform\w{0,4}|submit\w{0,4}|evaluat\w{1,4}|issue|send|against)\b/
/** Matches a statement in a parameter's description that a query can only read. */
const READS_ONLY =
  /\bread-?\s?only\b|\bonly\b[^.]{0,30}\bselect\b|\bselect\b[^.]{0,30}\bonly\b|\bselect (?:query|queries|statements?)\b/
const WRITES = /\b(?:insert|update|delete|drop|create|alter|not read-?\s?only|any sql)\b/
/** Verbs of tools that read the text of a query without running it. */
const STUDIES =
  /^(?:explain|validat|verif|check|lint|format|pars|analy[sz]|translat|convert|generat|optimi[sz]|estimat|describ|detect|suggest|review|compil|beautif|prettif)/
/** Matches a parameter's description that says the same of its query. */
const STUDIED =
  /\bto (?:explain|validate|verify|check|lint|format|parse|analy[sz]e|translate|convert|optimi[sz]e|estimate|review)\b/
const ASKS: ReadonlySet<string> = new Set(['query', 'execute', 'run'])
const MAX_TOLD = 1200

/**
 * Finds a parameter for a whole query in a language that can write, such as SQL, whatever verb the tool's name has: a tool
 * that "queries" or "fetches" with SQL can also delete. Returns undefined if the tool only studies the query, or if the
 * parameter's description promises a read.
 */
export function findWritingQuery(
  definition: ToolDefinition,
  {
    nameWords,
    parameters,
  }: { readonly nameWords: readonly string[]; readonly parameters: readonly Parameter[] },
): Evidence | undefined {
  const found = parameters.filter(({ key, isText }) => isText && QUERY_PARAMETERS.has(key))
  if (found.length === 0 && parameters.length > 0) return undefined
  const spoken = tell(readOwn(definition, 'description'))
  if (nameWords.some(word => STUDIES.test(word)) || STUDIES.test(spoken.trimStart())) return undefined
  const asks = nameWords.includes('query') || nameWords.includes('execute')
  const speaks = WRITING_LANGUAGE.test(spoken)
  if (found.length === 0) {
    const [first = ''] = nameWords
    return ASKS.has(first) && speaks
      ? { rule: 'object.run-code', from: 'description', text: 'sql' }
      : undefined
  }
  const isNamed = WRITING_LANGUAGE.test(tell(readOwn(definition, 'name')).replaceAll(/[_.-]/g, ' '))
  for (const { key, name, description } of found) {
    const told = tell(description)
    if (STUDIED.test(told) || (READS_ONLY.test(told) && !WRITES.test(told))) continue
    const isTold = WRITING_LANGUAGE.test(`${key.replaceAll('_', ' ')} ${told}`)
    const runs = asks || RUNS.test(told) || RUNS.test(spoken)
    if (isNamed || ((isTold || speaks) && runs)) return { rule: 'param.sql', from: 'parameter', text: name }
  }
  return undefined
}

function tell(description: unknown): string {
  return typeof description === 'string' ? description.slice(0, MAX_TOLD).toLowerCase() : ''
}
