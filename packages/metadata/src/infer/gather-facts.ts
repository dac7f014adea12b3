import type { ToolDefinition } from '../definition/tool-definition.ts'
import type { Evidence } from './inference.ts'
import { findNameVerbs, type NamedVerb } from './name-verb.ts'
import { OBJECT_RULES, type ObjectRule, QUESTION_RULE } from './object-table.ts'
import { OUTPUT_RULES, type OutputRule } from './output-table.ts'
import { ACTION_PARAMETERS, PARAMETER_RULES, type ParameterRule } from './parameter-table.ts'
import { findWritingQuery } from './query-languages.ts'
import { type FoundPhrase, findPhrases } from './read-phrases.ts'
import { type Parameter, readOwn, readParameters } from './read-schema.ts'
import { type Action, readListedActions, readVerbs, type SpokenVerb } from './read-sentence.ts'
import { readWords, type WordStream } from './read-words.ts'
import { type SiblingFacts, stripNamespace } from './siblings.ts'
import { splitWords } from './split-words.ts'

/** Everything that the rules found in one definition, before it is weighed. */
export interface Facts {
  readonly nameWords: readonly string[]
  readonly nameVerbs: readonly NamedVerb[]
  /** The verbs in the title. Set only if the name has no verb. */
  readonly titleVerbs: readonly NamedVerb[]
  readonly object?: { readonly rule: ObjectRule; readonly text: string }
  readonly spokenObject?: { readonly rule: ObjectRule; readonly text: string }
  readonly stream: WordStream
  readonly spoken: readonly SpokenVerb[]
  readonly phrases: readonly FoundPhrase[]
  readonly allParameters: readonly Parameter[]
  readonly parameters: readonly { readonly rule: ParameterRule; readonly parameter: Parameter }[]
  /** The actions of a tool that offers several. */
  readonly actions: readonly Action[]
  readonly outputs: readonly { readonly rule: OutputRule; readonly text: string }[]
  /** A parameter for a whole query in a language that can write. */
  readonly writingQuery: Evidence | undefined
}

const outputRuleOf = new Map(OUTPUT_RULES.flatMap(rule => rule.names.map(name => [name, rule] as const)))
const parameterRuleOf = new Map<string, ParameterRule>()
for (const rule of PARAMETER_RULES) for (const name of rule.names) parameterRuleOf.set(name, rule)

/** Maximum distance in words between a verb and its object. */
const OBJECT_REACH = 7

const objectRulesOf = new Map<
  string,
  { readonly rule: ObjectRule; readonly objects: ReadonlySet<string> }[]
>()
const nounRuleOf = new Map<string, ObjectRule>()
for (const rule of OBJECT_RULES) {
  const entry = { rule, objects: new Set(rule.objects) }
  for (const verb of rule.verbs) objectRulesOf.set(verb, [...(objectRulesOf.get(verb) ?? []), entry])
  if (rule.verbs.length === 0) for (const noun of rule.objects) nounRuleOf.set(noun, rule)
}
const QUESTION_WORDS = new Set(QUESTION_RULE.objects)

const HTTP_PARAMETERS = new Set(['method', 'http_method'])

const NO_NOUNS: ReadonlySet<string> = new Set()

export function gatherFacts(definition: ToolDefinition, siblings: SiblingFacts): Facts {
  const allWords = splitWords(readText(definition, 'name'))
  const nameWords = stripNamespace(allWords, siblings.namespace)
  const asks = nameWords.length > 1 && QUESTION_WORDS.has(nameWords[0] ?? '')
  const nameVerbs = asks ? [] : findNameVerbs(nameWords, siblings.nouns)
  const stream = readWords(readText(definition, 'description'))
  const parameters = readParameters(readOwn(definition, 'inputSchema'))
  const spoken = readVerbs(stream)
  const object = asks ? { rule: QUESTION_RULE, text: nameWords[0] ?? '' } : findObject(nameWords, nameVerbs)
  const spokenObject = findSpokenObject(stream, spoken[0])
  return {
    nameWords,
    nameVerbs: allWords.length > 1 && isReport(nameWords, nameVerbs, object?.rule) ? [] : nameVerbs,
    titleVerbs:
      nameVerbs.length > 0 ? [] : findNameVerbs(splitWords(readText(definition, 'title')), NO_NOUNS),
    ...(object === undefined ? {} : { object }),
    ...(spokenObject === undefined ? {} : { spokenObject }),
    stream,
    spoken,
    phrases: findPhrases(stream),
    allParameters: parameters,
    parameters: parameters.flatMap(parameter => {
      const rule = parameterRuleOf.get(parameter.key)
      return rule === undefined || !fits(rule, parameter) ? [] : [{ rule, parameter }]
    }),
    actions: [...readActions(parameters, nameVerbs[0]), ...readListedActions(stream)],
    outputs: readOutputs(readOwn(definition, 'outputSchema')),
    writingQuery: findWritingQuery(definition, { nameWords: allWords, parameters }),
  }
}

/**
 * Returns true if a rule applies to a parameter. Rules for free text do not apply to `to: 5`, the end of a range, or
 * `output: "json"`, a format.
 */
function fits(rule: ParameterRule, parameter: Parameter): boolean {
  return rule.text !== true || parameter.isText
}

function readText(definition: ToolDefinition, field: string): string {
  const value = readOwn(definition, field)
  return typeof value === 'string' ? value : ''
}

/**
 * Finds the object of the name's verb. A name that ends in "status" or "usage" describes a report, unless it has a
 * plain verb.
 */
function findObject(words: readonly string[], verbs: readonly NamedVerb[]): Facts['object'] {
  const main = verbs[0]
  const last = words.at(-1) ?? ''
  const acted = main === undefined ? undefined : findActedUpon(main.verb.base, words, main.at)
  if (main !== undefined && acted !== undefined)
    return { rule: acted.rule, text: `${main.text} ${acted.word}` }
  if (main !== undefined && !main.verb.noun) return undefined
  const rule = nounRuleOf.get(last)
  return rule === undefined ? undefined : { rule, text: last }
}

function findActedUpon(
  base: string,
  words: readonly string[],
  except: number,
): { readonly rule: ObjectRule; readonly word: string } | undefined {
  for (const { rule, objects } of objectRulesOf.get(base) ?? []) {
    const word = words.find((candidate, at) => at !== except && objects.has(candidate))
    if (word !== undefined) return { rule, word }
  }
  return undefined
}

/** Finds the object of a verb in prose: "Executes a query" reads, while "Executes a SQL query" can do anything. */
function findSpokenObject(stream: WordStream, spoken: SpokenVerb | undefined): Facts['spokenObject'] {
  if (spoken === undefined || spoken.negated || !objectRulesOf.has(spoken.verb.base)) return undefined
  const near = stream.words.slice(spoken.at + 1, spoken.at + 1 + OBJECT_REACH)
  for (const { rule, objects } of objectRulesOf.get(spoken.verb.base) ?? []) {
    if (rule.nameOnly === true) continue
    const word = near.find(candidate => objects.has(candidate))
    if (word !== undefined) return { rule, text: `${spoken.text} ${word}` }
  }
  return undefined
}

function readActions(parameters: readonly Parameter[], main: NamedVerb | undefined): readonly Action[] {
  const actions: Action[] = []
  for (const { key, choices } of parameters) {
    if (!ACTION_PARAMETERS.has(key) || choices.length < 2) continue
    // In `create_mock(method: GET | DELETE)`, the method is a property of the mock and not an action of the tool.
    if (HTTP_PARAMETERS.has(key) && main !== undefined && !main.verb.noun && main.verb.rule.readOnly < -2)
      continue
    const found: Action[] = []
    for (const choice of choices) {
      const words = splitWords(choice)
      const verb = findNameVerbs(words, NO_NOUNS)[0]
      // In `dropIndexSuggestions`, "drop" describes the suggestions that are returned, not an action.
      if (verb !== undefined && !namesReport(words, verb))
        found.push({ verb: verb.verb, text: choice, from: 'schema' })
    }
    if (found.length * 2 >= choices.length) actions.push(...found)
  }
  return actions
}

function namesReport(words: readonly string[], verb: NamedVerb): boolean {
  return verb.at < words.length - 1 && nounRuleOf.has(words.at(-1) ?? '')
}

/** Returns true if a word that could be a verb is the name of a report, like "log" in `git_log`. */
function isReport(
  words: readonly string[],
  verbs: readonly NamedVerb[],
  object: ObjectRule | undefined,
): boolean {
  return object?.id === 'object.report-noun' && verbs[0]?.at === words.length - 1
}

function readOutputs(schema: unknown): Facts['outputs'] {
  if (schema === undefined) return []
  return readParameters(schema).flatMap(({ key, name }) => {
    const rule = outputRuleOf.get(key)
    return rule === undefined ? [] : [{ rule, text: name }]
  })
}
