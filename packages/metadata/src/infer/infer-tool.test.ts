import { describe, expect, it } from 'vitest'
import { inferTool } from './infer-tool.ts'

const props = (properties: Record<string, unknown>): unknown => ({ type: 'object', properties })

describe('inference from a name', () => {
  it.each([
    'delete_file',
    'drop_table',
    'purgeCache',
    'records.destroy',
    'crm_contact_delete',
    'archive_project',
  ])('infers destructive from %s', name => {
    const { readOnly, destructive, operations } = inferTool({ name })
    expect(readOnly.value).toBe(false)
    expect(destructive.value).toBe(true)
    expect(operations.value).toContain('delete')
  })

  it('infers destructive from delete_file with high confidence', () => {
    const { destructive } = inferTool({ name: 'delete_file' })
    expect(destructive.confidence).toBeGreaterThanOrEqual(0.8)
    expect(destructive.evidence[0]).toEqual({ rule: 'verb.delete', from: 'name', text: 'delete' })
  })

  it.each(['list_files', 'get_weather', 'issue-read', 'mcp__x__list', 'findUsers'])(
    'infers read-only from %s',
    name => {
      const { readOnly, destructive, operations } = inferTool({ name })
      expect(readOnly.value).toBe(true)
      expect(readOnly.confidence).toBeGreaterThanOrEqual(0.9)
      expect(destructive.value).toBe(false)
      expect(operations.value).toEqual(['read'])
    },
  )

  it.each(['run_command', 'execute_sql', 'eval_javascript', 'run_shell_script'])(
    'infers opaque from %s',
    name => {
      const { readOnly, operations, destructive } = inferTool({ name })
      expect(readOnly.value).toBe(false)
      expect(operations.value).toContain('opaque')
      expect(destructive.value).toBe(true)
    },
  )

  it('treats a sent message as a creation with irreversible egress', () => {
    const { operations, destructive, egress, reversible, readOnly } = inferTool({ name: 'send_email' })
    expect(operations.value).toEqual(['create'])
    expect(readOnly.value).toBe(false)
    expect(destructive.value).toBe(false)
    expect(egress?.value).toBe(true)
    expect(reversible?.value).toBe(false)
  })

  it('treats a name that is a question as a read, whatever verb follows', () => {
    expect(inferTool({ name: 'can_i_deploy' }).readOnly.value).toBe(true)
  })

  it('has low confidence for a name without information', () => {
    const { readOnly, operations } = inferTool({ name: 'frobnicator' })
    expect(readOnly.value).toBe(false)
    expect(readOnly.confidence).toBeLessThan(0.7)
    expect(operations.confidence).toBeLessThan(0.5)
  })
})

describe('inference from a description', () => {
  it('gives the first sentence the most weight', () => {
    expect(
      inferTool({ name: 'tool', description: 'Lists invoices. See also how to pay them.' }).readOnly.value,
    ).toBe(true)
    expect(inferTool({ name: 'tool', description: 'Removes invoices. Returns a list.' }).readOnly.value).toBe(
      false,
    )
  })

  it('inverts a word after a negation', () => {
    const plain = inferTool({ name: 'plan', description: 'Plans the change.' }).readOnly
    const negated = inferTool({
      name: 'plan',
      description: 'Plans the change. Does not modify anything.',
    }).readOnly
    expect(negated.confidence).toBeGreaterThan(plain.confidence)
    expect(negated.evidence.map(({ rule }) => rule)).toContain('phrase.no-change')
  })

  it('accepts "read-only" and rejects "not read-only"', () => {
    const query = { name: 'query', inputSchema: props({ sql: { type: 'string' } }) }
    expect(inferTool({ ...query, description: 'Run a read-only SQL query.' }).readOnly.value).toBe(true)
    expect(
      inferTool({ ...query, description: 'Run a SQL query; this is not read-only.' }).readOnly.value,
    ).toBe(false)
  })

  it('accepts "non-destructive" and "not destructive"', () => {
    const chance = (description: string): number => {
      const { value, confidence } = inferTool({ name: 'update_page', description }).destructive
      return value ? confidence : 1 - confidence
    }
    expect(chance('A destructive change.')).toBeGreaterThan(chance('A change.'))
    expect(chance('Not destructive.')).toBeLessThan(chance('A change.'))
  })

  it('treats a tool that gets or sets as a write', () => {
    expect(inferTool({ name: 'language', description: 'Get or set the language.' }).readOnly.value).toBe(
      false,
    )
  })

  it('accepts "idempotent"', () => {
    const { idempotent } = inferTool({ name: 'create_topic', description: 'Creates a topic. Idempotent.' })
    expect(idempotent.value).toBe(true)
    expect(inferTool({ name: 'toggle_light' }).idempotent.value).toBe(false)
  })
})

describe('inference from a schema', () => {
  it.each(['command', 'sql', 'script', 'code'])(
    'treats a tool that runs its parameter %s as opaque',
    parameter => {
      const { operations, readOnly } = inferTool({
        name: 'run',
        inputSchema: props({ [parameter]: { type: 'string' } }),
      })
      expect(operations.value).toContain('opaque')
      expect(readOnly.value).toBe(false)
    },
  )

  it('does not treat a tool that only analyses code as opaque', () => {
    const { operations } = inferTool({
      name: 'analyze_code',
      inputSchema: props({ code: { type: 'string' } }),
    })
    expect(operations.value).not.toContain('opaque')
  })

  it.each(['url', 'webhook', 'to', 'recipients'])('infers open-world from the parameter %s', parameter => {
    const without = inferTool({ name: 'submit' }).openWorld
    const within = inferTool({
      name: 'submit',
      inputSchema: props({ [parameter]: { type: 'string' } }),
    }).openWorld
    expect(within.value).toBe(true)
    expect(within.confidence).toBeGreaterThan(without.confidence)
  })

  it('does not treat the end of a range as a recipient', () => {
    expect(
      inferTool({ name: 'update_range', inputSchema: props({ to: { type: 'integer' } }) }).egress,
    ).toBeUndefined()
  })

  it.each(['force', 'recursive', 'permanently'])(
    'makes destructive more likely for the parameter %s',
    parameter => {
      const chance = (inputSchema: unknown): number => {
        const { value, confidence } = inferTool({ name: 'update_folder', inputSchema }).destructive
        return value ? confidence : 1 - confidence
      }
      expect(chance(props({ [parameter]: { type: 'boolean' } }))).toBeGreaterThan(chance(props({})))
    },
  )

  it.each(['dry_run', 'dryRun', 'confirm'])('reports the parameter %s', parameter => {
    const { readOnly } = inferTool({
      name: 'apply',
      inputSchema: props({ [parameter]: { type: 'boolean' } }),
    })
    expect(readOnly.evidence.some(({ from, text }) => from === 'parameter' && text === parameter)).toBe(true)
  })

  it('judges a tool with several actions by the strictest one', () => {
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

describe('inference from an output schema', () => {
  it('treats a list as a read and a count of deletions as a write', () => {
    const chance = (outputSchema: unknown): number => {
      const { value, confidence } = inferTool({ name: 'check_items', outputSchema }).readOnly
      return value ? confidence : 1 - confidence
    }
    expect(chance(props({ results: {} }))).toBeGreaterThan(chance(props({})))
    expect(chance(props({ deletedCount: {} }))).toBeLessThan(chance(props({})))
  })
})

describe('inference from sibling tools', () => {
  const server = ['search_query', 'search_status', 'search_delete', 'search_items'].map(name => ({ name }))

  it('treats a prefix that all names share as a namespace, not a verb', () => {
    const { readOnly } = inferTool({ name: 'search_delete' }, server)
    expect(readOnly.value).toBe(false)
    expect(readOnly.evidence.map(({ text }) => text)).not.toContain('search')
  })

  it('treats a word as a noun if it is the object of sibling tools', () => {
    const siblings = ['create_record', 'list_records', 'delete_record', 'record_status'].map(name => ({
      name,
    }))
    expect(inferTool({ name: 'record_status' }, siblings).readOnly.value).toBe(true)
  })
})

describe('inferred service domains', () => {
  it('lists at most three domains, the most likely first', () => {
    const { domains } = inferTool({
      name: 'send_email',
      description:
        'Sends an email about an invoice, a ticket, a flight, a song and a repository to your inbox.',
    })
    expect(domains.length).toBeLessThanOrEqual(3)
    expect(domains[0]?.value).toBe('email')
  })
})
