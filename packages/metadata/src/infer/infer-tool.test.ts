import { describe, expect, it } from 'vitest'
import { inferTool } from './infer-tool.ts'

const props = (properties: Record<string, unknown>): unknown => ({ type: 'object', properties })

describe('what a name gives away', () => {
  it.each([
    'delete_file',
    'drop_table',
    'purgeCache',
    'records.destroy',
    'crm_contact_delete',
    'archive_project',
  ])('%s is destructive', name => {
    const { readOnly, destructive, operations } = inferTool({ name })
    expect(readOnly.value).toBe(false)
    expect(destructive.value).toBe(true)
    expect(operations.value).toContain('delete')
  })

  it('is sure that delete_file destroys', () => {
    const { destructive } = inferTool({ name: 'delete_file' })
    expect(destructive.confidence).toBeGreaterThanOrEqual(0.8)
    expect(destructive.evidence[0]).toEqual({ rule: 'verb.delete', from: 'name', text: 'delete' })
  })

  it.each(['list_files', 'get_weather', 'issue-read', 'mcp__x__list', 'findUsers'])('%s reads', name => {
    const { readOnly, destructive, operations } = inferTool({ name })
    expect(readOnly.value).toBe(true)
    expect(readOnly.confidence).toBeGreaterThanOrEqual(0.9)
    expect(destructive.value).toBe(false)
    expect(operations.value).toEqual(['read'])
  })

  it.each(['run_command', 'execute_sql', 'eval_javascript', 'run_shell_script'])('%s is opaque', name => {
    const { readOnly, operations, destructive } = inferTool({ name })
    expect(readOnly.value).toBe(false)
    expect(operations.value).toContain('opaque')
    expect(destructive.value).toBe(true)
  })

  it('takes a sent message for a creation that leaves the house and does not come back', () => {
    const { operations, destructive, egress, reversible, readOnly } = inferTool({ name: 'send_email' })
    expect(operations.value).toEqual(['create'])
    expect(readOnly.value).toBe(false)
    expect(destructive.value).toBe(false)
    expect(egress?.value).toBe(true)
    expect(reversible?.value).toBe(false)
  })

  it('reads a question as a read, whatever verb follows', () => {
    expect(inferTool({ name: 'can_i_deploy' }).readOnly.value).toBe(true)
  })

  it('says little of a name that says nothing', () => {
    const { readOnly, operations } = inferTool({ name: 'frobnicator' })
    expect(readOnly.value).toBe(false)
    expect(readOnly.confidence).toBeLessThan(0.7)
    expect(operations.confidence).toBeLessThan(0.5)
  })
})

describe('what a description gives away', () => {
  it('weighs the first sentence most', () => {
    expect(
      inferTool({ name: 'tool', description: 'Lists invoices. See also how to pay them.' }).readOnly.value,
    ).toBe(true)
    expect(inferTool({ name: 'tool', description: 'Removes invoices. Returns a list.' }).readOnly.value).toBe(
      false,
    )
  })

  it('turns a word round after a negation', () => {
    const plain = inferTool({ name: 'plan', description: 'Plans the change.' }).readOnly
    const negated = inferTool({
      name: 'plan',
      description: 'Plans the change. Does not modify anything.',
    }).readOnly
    expect(negated.confidence).toBeGreaterThan(plain.confidence)
    expect(negated.evidence.map(({ rule }) => rule)).toContain('phrase.no-change')
  })

  it('believes "read-only" and does not believe "not read-only"', () => {
    const query = { name: 'query', inputSchema: props({ sql: { type: 'string' } }) }
    expect(inferTool({ ...query, description: 'Run a read-only SQL query.' }).readOnly.value).toBe(true)
    expect(
      inferTool({ ...query, description: 'Run a SQL query; this is not read-only.' }).readOnly.value,
    ).toBe(false)
  })

  it('hears "non-destructive" and "not destructive"', () => {
    const chance = (description: string): number => {
      const { value, confidence } = inferTool({ name: 'update_page', description }).destructive
      return value ? confidence : 1 - confidence
    }
    expect(chance('A destructive change.')).toBeGreaterThan(chance('A change.'))
    expect(chance('Not destructive.')).toBeLessThan(chance('A change.'))
  })

  it('takes a tool that gets or sets for a write', () => {
    expect(inferTool({ name: 'language', description: 'Get or set the language.' }).readOnly.value).toBe(
      false,
    )
  })

  it('hears that a repeat does nothing more', () => {
    const { idempotent } = inferTool({ name: 'create_topic', description: 'Creates a topic. Idempotent.' })
    expect(idempotent.value).toBe(true)
    expect(inferTool({ name: 'toggle_light' }).idempotent.value).toBe(false)
  })
})

describe('what a schema gives away', () => {
  it.each(['command', 'sql', 'script', 'code'])('a tool that runs its parameter %s is opaque', parameter => {
    const { operations, readOnly } = inferTool({
      name: 'run',
      inputSchema: props({ [parameter]: { type: 'string' } }),
    })
    expect(operations.value).toContain('opaque')
    expect(readOnly.value).toBe(false)
  })

  it('does not call a tool opaque that only looks at code', () => {
    const { operations } = inferTool({
      name: 'analyze_code',
      inputSchema: props({ code: { type: 'string' } }),
    })
    expect(operations.value).not.toContain('opaque')
  })

  it.each(['url', 'webhook', 'to', 'recipients'])('the parameter %s reaches outside', parameter => {
    const without = inferTool({ name: 'submit' }).openWorld
    const within = inferTool({
      name: 'submit',
      inputSchema: props({ [parameter]: { type: 'string' } }),
    }).openWorld
    expect(within.value).toBe(true)
    expect(within.confidence).toBeGreaterThan(without.confidence)
  })

  it('does not take the end of a range for a recipient', () => {
    expect(
      inferTool({ name: 'update_range', inputSchema: props({ to: { type: 'integer' } }) }).egress,
    ).toBeUndefined()
  })

  it.each(['force', 'recursive', 'permanently'])('the parameter %s makes a loss likelier', parameter => {
    const chance = (inputSchema: unknown): number => {
      const { value, confidence } = inferTool({ name: 'update_folder', inputSchema }).destructive
      return value ? confidence : 1 - confidence
    }
    expect(chance(props({ [parameter]: { type: 'boolean' } }))).toBeGreaterThan(chance(props({})))
  })

  it.each(['dry_run', 'dryRun', 'confirm'])('notes the parameter %s', parameter => {
    const { readOnly } = inferTool({
      name: 'apply',
      inputSchema: props({ [parameter]: { type: 'boolean' } }),
    })
    expect(readOnly.evidence.some(({ from, text }) => from === 'parameter' && text === parameter)).toBe(true)
  })

  it('judges a tool with several actions by the worst of them', () => {
    const tabs = (actions: string[]): ReturnType<typeof inferTool> =>
      inferTool({ name: 'tabs', inputSchema: props({ action: { type: 'string', enum: actions } }) })
    expect(tabs(['list', 'get']).readOnly.value).toBe(true)
    const mixed = tabs(['list', 'get', 'delete'])
    expect(mixed.readOnly.value).toBe(false)
    expect(mixed.destructive.value).toBe(true)
    expect(mixed.operations.value).toEqual(['read', 'delete'])
  })

  it('finds actions in the branches of a union', () => {
    const branch = (action: string): unknown => props({ action: { const: action } })
    const { operations } = inferTool({
      name: 'pages',
      inputSchema: { anyOf: [branch('create'), branch('delete')] },
    })
    expect(operations.value).toEqual(['create', 'delete'])
  })
})

describe('what a result gives away', () => {
  it('takes a listing for a read and a count of deletions for a write', () => {
    const chance = (outputSchema: unknown): number => {
      const { value, confidence } = inferTool({ name: 'items', outputSchema }).readOnly
      return value ? confidence : 1 - confidence
    }
    expect(chance(props({ results: {} }))).toBeGreaterThan(chance(props({})))
    expect(chance(props({ deletedCount: {} }))).toBeLessThan(chance(props({})))
  })
})

describe('what siblings give away', () => {
  const server = ['search_query', 'search_status', 'search_delete', 'search_items'].map(name => ({ name }))

  it('takes what all names share for a namespace, not a verb', () => {
    const { readOnly } = inferTool({ name: 'search_delete' }, server)
    expect(readOnly.value).toBe(false)
    expect(readOnly.evidence.map(({ text }) => text)).not.toContain('search')
  })

  it('takes a word for a noun that siblings act upon', () => {
    const siblings = ['create_record', 'list_records', 'delete_record', 'record_status'].map(name => ({
      name,
    }))
    expect(inferTool({ name: 'record_status' }, siblings).readOnly.value).toBe(true)
  })
})

describe('which services it guesses', () => {
  it('names at most three domains, the likeliest first', () => {
    const { domains } = inferTool({
      name: 'send_email',
      description:
        'Sends an email about an invoice, a ticket, a flight, a song and a repository to your inbox.',
    })
    expect(domains.length).toBeLessThanOrEqual(3)
    expect(domains[0]?.value).toBe('email')
  })
})
