import { listWords } from './word-list.ts'

/**
 * A rule for objects that change the meaning of a verb: `generate_report` reads, while `run_script` can do anything.
 */
export interface ObjectRule {
  readonly id: string
  /** The verbs to which the rule applies. Empty for names without a plain verb, such as `credit_usage`. */
  readonly verbs: readonly string[]
  readonly objects: readonly string[]
  readonly readOnly: number
  readonly destructive?: number
  readonly opaque?: true
  /** Applies only to names: in prose, "resolve … by id" is not about the id. */
  readonly nameOnly?: true
}

/** A name that is a question, such as `can_deploy` or `is_available`, changes nothing, whatever verb follows. */
export const QUESTION_RULE: ObjectRule = {
  id: 'object.question',
  verbs: [],
  objects: listWords('can is are has have does do should will who what when where why how which'),
  readOnly: 3.2,
}

export const OBJECT_RULES: readonly ObjectRule[] = [
  {
    id: 'object.report-noun',
    verbs: [],
    objects: listWords(
      'status schema schemas info information details detail usage stats statistics history logs log list summary ' +
        'report reports help overview health metrics results result version versions balance docs documentation ' +
        'doc guide guidance instructions examples context tree readme indexes size inventory catalog advisors ' +
        'advisor insights timeline about faq weather time directions distance elevation price prices rates quota ' +
        'recommendations practices listing finder lookup explorer inspector viewer counts data tips suggestions expert assistant',
    ),
    readOnly: 2.2,
  },
  {
    id: 'object.generated-text',
    verbs: listWords('generate produce prepare render'),
    objects: listWords(
      'types type code sql query queries summary explanation snippet snippets example examples prompt plan docs ' +
        'documentation guide suggestions url link command commands diff preview insights review checklist ' +
        'recommendations diagram definition yaml regex text completion embedding embeddings locator xpath selector',
    ),
    readOnly: 1.6,
  },
  {
    id: 'object.returned-text',
    verbs: listWords('create make build compose draft'),
    objects: listWords(
      'draft query queries completion completions embedding embeddings recommendation recommendations summary ' +
        'prompt outline suggestion suggestions preview estimate explanation',
    ),
    readOnly: 2.6,
    nameOnly: true,
  },
  {
    id: 'object.guidance',
    verbs: listWords('provide get give return offer show guide'),
    objects: listWords(
      'guidance guidelines guideline documentation instructions checklist practices tutorial',
    ),
    readOnly: 5.5,
  },
  {
    id: 'object.run-analysis',
    verbs: listWords('run execute perform exec invoke'),
    objects: listWords(
      'analysis analyzer analyser check checks audit scan lint diagnostics diagnostic report aggregation health ' +
        'benchmark detector detection inspection assessment investigation research review comparison validation',
    ),
    readOnly: 2.6,
    destructive: -0.8,
  },
  {
    id: 'object.run-code',
    verbs: listWords('run execute exec eval invoke send start evaluate perform type'),
    objects: listWords(
      'command commands sql script scripts code shell bash python javascript js cypher statement statements terminal cmd ' +
        'powershell notebook program expression',
    ),
    readOnly: -2,
    destructive: 0.8,
    opaque: true,
  },
  {
    id: 'object.run-query',
    verbs: listWords('run execute perform exec'),
    objects: listWords('query queries search searches select explain lookup'),
    readOnly: 3,
    destructive: -0.8,
  },
  {
    id: 'object.feedback',
    verbs: listWords('give provide leave'),
    objects: listWords('feedback rating reviews'),
    readOnly: -4.5,
  },
  {
    id: 'object.resolve-name',
    nameOnly: true,
    verbs: listWords('resolve match'),
    objects: listWords(
      'id ids name names address url uri library reference package symbol dns host path username location entity',
    ),
    readOnly: 5.5,
  },
  {
    id: 'object.small-field',
    verbs: listWords('update set change edit modify'),
    objects: listWords(
      'title name status state label labels tag tags comment assignee assignees milestone priority color description',
    ),
    readOnly: 0,
    destructive: -0.4,
  },
]
