import { describe, expect, it } from 'vitest'
import { parseJson } from '../../protocol/parse-json.ts'
import { hitsOf, NOON, passes } from './test-support/facts-of.ts'

describe('allow_values', () => {
  const rule = { rule: 'allow_values', field: 'env', values: ['dev', 3] }

  it('accepts only the listed values, with the same type and spelling', () => {
    expect(passes(rule, { env: 'dev' })).toBe(true)
    expect(passes(rule, { env: ['dev', 3] })).toBe(true)
    for (const env of ['prod', 'Dev', 'dеv', '3', true, ['dev', 'prod'], { a: 'prod' }])
      expect(passes(rule, { env }), JSON.stringify(env)).toBe(false)
  })

  it('accepts only values and lists of values', () => {
    const others = [{}, { c: null }, { dev: 'dev' }, [], [null], [[]], [['dev']], ['dev', {}], ['dev', null]]
    for (const env of others) {
      expect(passes(rule, { env }), JSON.stringify(env)).toBe(false)
      expect(passes({ ...rule, required: true }, { env }), JSON.stringify(env)).toBe(false)
    }
  })

  it('requires the field only if `required` is true', () => {
    for (const args of [{}, { env: null }]) {
      expect(passes(rule, args)).toBe(true)
      expect(passes({ ...rule, required: true }, args)).toBe(false)
    }
  })

  it('searches objects when its path does', () => {
    expect(passes({ ...rule, field: '**' }, { a: { env: ['dev'] } })).toBe(true)
    expect(passes({ ...rule, field: 'a.**' }, { a: { env: ['prod'] } })).toBe(false)
    expect(passes({ ...rule, field: 'a[*].env' }, { a: [{ env: 'dev' }, { env: 3 }] })).toBe(true)
    expect(passes({ ...rule, field: '**.env' }, { a: { env: { dev: null } } })).toBe(false)
  })
})

describe('block_values', () => {
  const rule = { rule: 'block_values', field: 'env', values: ['prod', 5] }

  it('finds a value in every spelling', () => {
    expect(passes(rule, { env: 'production' })).toBe(true)
    for (const env of ['prod', ' PROD ', 'prоd', 'ｐｒｏｄ', 5, '5', '5.0', ['dev', 'prod'], { x: 'prod' }])
      expect(passes(rule, { env }), JSON.stringify(env)).toBe(false)
    for (const env of [
      'prod\u0000',
      'pr\u0001od',
      'pr\u007fod',
      'pro\u0085d',
      '50e-1',
      '+5',
      '0.5E1',
      '05',
      '5.',
      '.5e1',
      '+5.',
    ])
      expect(passes(rule, { env }), JSON.stringify(env)).toBe(false)
  })

  it('finds a long number in every spelling', () => {
    const long = { rule: 'block_values', field: 'n', values: ['12345678901234567890'] }
    for (const text of [
      '12345678901234567890',
      '12345678901234567890.0',
      '1234567890123456789e1',
      '"1234567890123456789e1"',
    ]) {
      const parsed = parseJson(`{"n":${text}}`, 10)
      expect(passes(long, parsed.ok ? parsed.value : {}), text).toBe(false)
    }
    expect(passes(long, { n: '12345678901234567891' })).toBe(true)
  })
})

describe('content_length', () => {
  const lengths = { rule: 'content_length', field: 'n', min: 20, max: 30 }
  const argsOf = (text: string): unknown => {
    const parsed = parseJson(`{"n":${text}}`, 10)
    return parsed.ok ? parsed.value : {}
  }

  it('counts only the digits of a long number', () => {
    expect(passes(lengths, argsOf('12345678901234567890'))).toBe(true)
    expect(passes(lengths, argsOf('1e999'))).toBe(false)
    expect(passes(lengths, argsOf('[12345678901234567890]'))).toBe(true)
  })
})

describe('an invisible character', () => {
  const token = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')

  it.each(['\uFE0F', '\u034F', '\u{E0101}', '\u180B', '\u3164', '\uE000', '\u0001', '\u200B'])(
    'does not hide text from blocking rules: %j',
    unseen => {
      const split = (text: string) => text.replaceAll(/.{4}/g, `$&${unseen}`)
      expect(passes({ rule: 'secret_detect' }, { a: split(token) })).toBe(false)
      expect(passes({ rule: 'pii_detect' }, { a: split('4111111111111111') })).toBe(false)
      const hosts = { rule: 'block_domains', domains: ['evil.com'] }
      expect(passes(hosts, { a: `https://ev${unseen}il.com/x` })).toBe(false)
    },
  )
})

describe('allow_domains', () => {
  it('blocks links that are slow to parse', () => {
    const rule = { rule: 'allow_domains', field: 'to', domains: ['good.com'] }
    expect(passes(rule, { to: 'https://good.com/x' })).toBe(true)
    for (const odd of [`/${'\u0301\uFF9E'.repeat(20)}`, `/${'x'.repeat(20_000)}`])
      expect(passes(rule, { to: `https://good.com${odd}` })).toBe(false)
  })
})

describe('keys of arguments', () => {
  it('are checked when they are not identifiers', () => {
    const words = { rule: 'keyword_block', keywords: ['drop table'] }
    const hosts = { rule: 'block_domains', domains: ['pastebin.com'] }
    expect(passes(words, { 'drop table': 1 })).toBe(false)
    expect(passes(hosts, { labels: { 'pastebin.com': 'y' } })).toBe(false)
    expect(passes(words, { drop_table: 1 })).toBe(true)
  })
})

describe('require_prefix', () => {
  const rule = { rule: 'require_prefix', field: 'path', prefix: '/srv/data/' }

  it('blocks ".." in every spelling', () => {
    for (const step of ['a..b', '...', '..a', '.a', 'a..', 'a; b', '100%'])
      expect(passes(rule, { path: `/srv/data/${step}/c` }), step).toBe(true)
    for (const step of [
      '..',
      '%2e%2e',
      '%252e%252e',
      '.%25252E',
      '．．',
      '‥',
      '..;',
      '..;a=b',
      '..%3b',
      '.. ',
      '..%20',
      '..\n',
      '..%00',
      '..\u200B',
      '.\u00AD.',
      '%c0%ae%c0%ae',
      '.\t.',
      '.\n.',
      '%2\te.',
      '.%09.',
      '.%00.',
    ])
      expect(passes(rule, { path: `/srv/data/${step}/etc` }), step).toBe(false)
  })
})

describe('a number with more digits than a double holds', () => {
  const argsOf = (text: string) => {
    const parsed = parseJson(`{"n":${text}}`, 10)
    return parsed.ok ? (parsed.value as { n: unknown }) : {}
  }

  it('is checked both as written and as rounded by servers', () => {
    const block = {
      rule: 'block_values',
      field: 'n',
      values: [5, '12345678901234567891', 2 ** 60],
    }
    for (const text of [
      '5',
      `5.${'0'.repeat(40)}`,
      '5.00000000000000000001',
      '500000000000000000000e-20',
      '12345678901234567891',
      '1152921504606846999',
    ])
      expect(passes(block, argsOf(text)), text).toBe(false)
    expect(passes(block, argsOf('12345678901234567')), 'another').toBe(true)
    const allow = { rule: 'allow_values', field: 'n', values: [5, '12345678901234567890'] }
    expect(passes(allow, argsOf(`5.${'0'.repeat(40)}`))).toBe(true)
    for (const text of ['5.00000000000000000001', '12345678901234567890'])
      expect(passes(allow, argsOf(text)), text).toBe(false)
    for (const text of ['4111111111111111', '4.111111111111111e15', '4111111111111111.0'])
      expect(passes({ rule: 'pii_detect', field: 'n' }, argsOf(text)), text).toBe(false)
  })
})

describe('max_value', () => {
  const rule = { rule: 'max_value', field: 'amount', max: 100, min: 0 }

  it('limits numbers, also in strings', () => {
    for (const amount of [100, '99.5', 0, '1e2']) expect(passes(rule, { amount }), String(amount)).toBe(true)
    for (const amount of [100.1, '1e9', -1, [1, 500], { value: 101 }])
      expect(passes(rule, { amount }), JSON.stringify(amount)).toBe(false)
  })

  it('blocks values that are not plain numbers', () => {
    for (const amount of ['1,000', '0x10', 'Infinity', '', '10 EUR', true])
      expect(passes(rule, { amount }), JSON.stringify(amount)).toBe(false)
  })
})

describe('protect_branches', () => {
  const rule = { rule: 'protect_branches' }

  it('blocks writes to protected branches in every spelling', () => {
    for (const branch of [
      'main',
      'MAIN',
      'refs/heads/main',
      'origin/main',
      'HEAD:main',
      '+HEAD:refs/heads/main',
      'release/1.0',
      'mаin',
      'heads/main',
      'refs//heads/main',
      '/main',
      'main/',
      'refs/remotes/origin/main',
      'refs/heads/refs/heads/main',
      'refs/for/main%submit',
      'main:',
      ':main',
      '"main"',
      'm"ai"n',
      "ma''in",
      'm\\ain',
      'feature main',
      'x:y,HEAD:main',
      'main~0',
      'main@{0}',
      'm%61in',
      './main',
      'x/../main',
      'x/%2e%2e/main',
      'refs%2Fheads%2Fmain',
    ])
      expect(passes(rule, { branch }), branch).toBe(false)
    expect(passes(rule, { options: [{ ref: 'refs/heads/master' }] })).toBe(false)
  })

  it('allows other branches and reads', () => {
    expect(passes(rule, { branch: 'feature/main-menu' })).toBe(true)
    expect(passes(rule, { branch: 'main' }, { variant: 'call_tool_read' })).toBe(true)
    expect(passes({ ...rule, branches: ['prod'] }, { branch: 'main' })).toBe(true)
    for (const branch of [
      '',
      'main:feature',
      'ada/main',
      'https://example.com/a?b',
      '../src/x - y',
      'C:\\src\\main',
      '.',
      'fix-@here',
      'v1.0..x',
      '50%',
      'heads-up',
      'refs/tags/release/1.0',
      'refs/pull/7/head',
    ])
      expect(passes(rule, { branch }), branch).toBe(true)
  })

  it.each([
    ...['base_branch', 'destinationBranch', 'dest_branch', 'target_ref', 'refspec', 'branchName'],
    ...['remoteBranch', 'newBranchName', 'targetRefName', 'refName', 'target-branch', 'branches'],
  ])('treats %s as a branch field', field => {
    expect(passes(rule, { options: { [field]: 'main' } })).toBe(false)
    expect(passes(rule, { options: { [field]: 'feature' } })).toBe(true)
  })

  it.each(['from_branch', 'sourceBranch', 'sourceRefName', 'head', 'base_ref', 'default_branch', 'stashRef'])(
    'does not treat %s as a branch field',
    field => expect(passes(rule, { branch: 'feature', [field]: 'main' })).toBe(true),
  )

  it('blocks text that could name any branch', () => {
    for (const branch of ['HEAD', '@', '@{u}', 'origin/HEAD', 'refs/heads/*:refs/heads/*', '--mirror'])
      expect(passes(rule, { branch }), branch).toBe(false)
    expect(passes(rule, { branch: 'x '.repeat(1000) })).toBe(false)
    expect(passes(rule, { branch: `${'for/'.repeat(9)}x` })).toBe(false)
    expect(passes(rule, { branch: 'a,'.repeat(101) })).toBe(false)
  })

  it('reads up to the maximum of words and prefixes', () => {
    expect(passes(rule, { branch: 'a '.repeat(99) })).toBe(true)
    expect(passes(rule, { branch: `${'a '.repeat(99)}main` })).toBe(false)
    expect(passes(rule, { branch: 'refs/heads/refs/remotes/origin/feature' })).toBe(true)
  })

  it('finds branches with accents in every normalisation', () => {
    const accented = { ...rule, branches: ['Veröffentlicht/*'] }
    expect(passes(accented, { branch: 'veröffentlicht/1' })).toBe(false)
    expect(passes(accented, { branch: 'vero\u0308ffentlicht/1' })).toBe(false)
  })
})

describe('allow_repos', () => {
  const rule = { rule: 'allow_repos', repos: ['acme/*', 'other/tool'] }

  it('allows listed repositories by name, link, or owner and name', () => {
    for (const repo of [
      'acme/web',
      'Acme/Web',
      'https://github.com/acme/web.git',
      'git@github.com:other/tool.git',
    ])
      expect(passes(rule, { repo }), repo).toBe(true)
    expect(passes(rule, { owner: 'acme', repo: 'web' })).toBe(true)
    expect(passes(rule, {})).toBe(true)
  })

  it.each([
    'repoName',
    'repositoryName',
    'repo-name',
    'gitRepoUrl',
    'repositoryUrl',
    'repositories',
    'source_repo',
  ])('treats %s as a repository field', field => {
    expect(passes(rule, { options: { [field]: 'https://github.com/acme/web' } })).toBe(true)
    expect(passes(rule, { options: { [field]: 'https://github.com/evil/web' } })).toBe(false)
  })

  it('checks every repository of a call with its owner', () => {
    const own = { owner: 'acme', repo: 'web' }
    expect(passes(rule, { ...own, related_owner: 'acme', related_repo: 'api' })).toBe(true)
    expect(passes(rule, { ...own, related_owner: 'evil', related_repo: 'api' })).toBe(false)
    expect(passes(rule, { owner: 'acme', item_owner: 'evil', item_repo: 'web' })).toBe(false)
    expect(passes(rule, { repoOwner: 'acme', repoName: 'web' })).toBe(true)
    expect(passes(rule, { repoOwner: 'evil', repoName: 'web' })).toBe(false)
  })

  it('does not treat names of people or flags as repositories', () => {
    expect(passes(rule, { fullName: 'Ada Lovelace', validateGitRepo: true, repo_type: 'model' })).toBe(true)
  })

  it('reads links as people type and copy them', () => {
    for (const repo of [
      'github.com/acme/web',
      'GitHub.com/acme/web.git',
      'https://github.com/acme/web/tree/main',
      'https://github.com/acme/web/blob/main/src/a.ts',
      'https://github.com/acme/web/commits/v1.0/',
    ])
      expect(passes(rule, { repo }), repo).toBe(true)
    for (const repo of [
      'github.com/evil/web',
      'evil.com/acme/web',
      'acme.io/web/x',
      'github.com/acme/web/x',
      'github.com/acme/..',
      'https://github.com/evil/web/tree/main',
      'https://github.com/acme/web/tree/../../../evil/web',
      'https://github.com/acme/web/tree/%2e%2e/evil',
      'https://github.com/acme/web/other/x',
      'https://github.com/acme/../tree/main',
      'acme/web/tree/main',
    ])
      expect(passes(rule, { repo }), repo).toBe(false)
    expect(passes(rule, { owner: 'evil', repo: 'github.com/acme/web' })).toBe(false)
  })

  it('denies more combinations of owner and name than the limit', () => {
    const some = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`)
    const anything = { rule: 'allow_repos', repos: ['*/*'] }
    expect(passes(anything, { repo: some(200, 'r'), owner: some(200, 'o') })).toBe(false)
    expect(passes(anything, { repo: some(50, 'r'), owner: some(50, 'o') })).toBe(true)
    expect(passes(anything, { repo: some(5000, 'r'), owner: Array.from({ length: 5000 }, () => 'o') })).toBe(
      true,
    )
  })

  it('blocks other repositories and unreadable ones', () => {
    for (const repo of [
      'evil/web',
      'acme/../evil/web',
      'acme/web/x',
      'web',
      'https://x.com/acme/web?evil/x',
      '..',
      'acme/..',
      'аcme/web',
      5,
    ])
      expect(passes(rule, { repo }), String(repo)).toBe(false)
    expect(passes(rule, { owner: 'evil', repo: 'web' })).toBe(false)
    expect(passes(rule, { owner: ['acme', 'evil'], repo: 'web' })).toBe(false)
  })

  it('blocks owner/name next to another owner, which servers join into a path', () => {
    expect(passes(rule, { owner: 'evil', repo: 'acme/contents' })).toBe(false)
    expect(passes(rule, { owner: 'Acme', repo: 'acme/web' })).toBe(true)
  })

  it('accepts links to its own hosts only', () => {
    const links = (host: string) => [
      `https://${host}/acme/x`,
      `https://${host}:8443/acme/x.git`,
      `git@${host}:acme/x`,
      `ssh://git@${host}/acme/x`,
    ]
    for (const repo of [...links('evil.com'), ...links('github.com.evil.com'), ...links('codeberg.org')])
      expect(passes(rule, { repo }), repo).toBe(false)
    for (const repo of links('GitHub.com')) expect(passes(rule, { repo }), repo).toBe(true)
    const own = { ...rule, hosts: ['git.Example.com'] }
    for (const repo of links('git.example.com')) expect(passes(own, { repo }), repo).toBe(true)
    for (const repo of links('github.com')) expect(passes(own, { repo }), repo).toBe(false)
    expect(passes(own, { repo: 'https://git.example.com/x', owner: 'acme' })).toBe(false)
  })
})

describe('block_delete', () => {
  const rule = { rule: 'block_delete' }

  it('blocks tools that delete and calls that request a deletion', () => {
    expect(passes(rule, {}, { category: 'delete' })).toBe(false)
    expect(passes(rule, {}, { variant: 'call_tool_destructive' })).toBe(false)
    for (const method of ['DELETE', 'delete_all', 'Remove', 'bulk-delete', 'dеlete'])
      expect(passes(rule, { request: { method } }), method).toBe(false)
    for (const method of [
      'delete_file',
      'deleteFile',
      'chat.delete',
      'messages/delete',
      'message-remove',
      'permanently_delete',
      'DELETE /x',
      'remove_user',
      'soft delete',
      '"DELETE"',
      'deletes',
    ])
      expect(passes(rule, { method }), method).toBe(false)
    for (const field of [
      '_method',
      'X-HTTP-Method-Override',
      'requestMethod',
      'action_type',
      'operationType',
      'mode',
      'command',
      'run_action',
    ])
      expect(passes(rule, { [field]: 'DELETE' }), field).toBe(false)
    for (const op of ['rm', 'del', 'rm -rf x']) expect(passes(rule, { op }), op).toBe(false)
  })

  it('blocks a flag that makes another tool delete', () => {
    for (const value of [true, 'true', ['a']])
      expect(passes(rule, { branch: 'x', delete: value }), JSON.stringify(value)).toBe(false)
    for (const value of [false, 'false', null, [], undefined])
      expect(passes(rule, { branch: 'x', delete: value }), JSON.stringify(value)).toBe(true)
    expect(passes(rule, { permissions: { delete: true } })).toBe(true)
    expect(passes({ ...rule, field: 'action' }, { delete: true })).toBe(true)
  })

  it('reads camel case and names after a dot', () => {
    for (const action of [
      'removeUser',
      'dropTable',
      'forceDelete',
      'force_delete_user',
      'userDelete',
      'HTTPDelete',
      'dElEtE',
      'messages.delete_many',
      'users.removeById',
      'users/deleteAll',
      'db.dropTable',
      'rеmoveUser',
    ])
      expect(passes(rule, { action }), action).toBe(false)
  })

  it('ignores past participles, places and unrelated words', () => {
    for (const action of [
      'archive_search',
      'archiveSearch',
      'trash.list',
      'deleted.list',
      'removed_items',
      'drop-in',
      'dropDown',
      'un-delete',
      'unDelete',
      'GET /archive/x',
      'GET /deleted',
    ])
      expect(passes(rule, { action }), action).toBe(true)
    for (const action of [
      'archive',
      'archive_user',
      'deleted',
      'drop_index',
      'drop',
      'delete_list',
      'deletedata',
    ])
      expect(passes(rule, { action }), action).toBe(false)
  })

  it('allows other calls', () => {
    for (const action of ['POST', 'undelete', 'list_deleted', 'dropdown.open', 'get-archive', 'removal'])
      expect(passes(rule, { action }), action).toBe(true)
    for (const mode of ['list', 'append', 'rename', '0644', 'delta', 'rms'])
      expect(passes(rule, { mode }), mode).toBe(true)
    expect(passes(rule, { command: 'npm run delete-nothing' })).toBe(true)
    for (const command of ['cat src/delete.ts', 'git log --grep remove', 'node ./remove-duplicates.js'])
      expect(passes(rule, { command }), command).toBe(true)
    for (const command of ['rm -rf build', 'delete_note 5', 'chat.delete', ' del x'])
      expect(passes(rule, { command }), command).toBe(false)
    expect(passes(rule, { body: 'delete this', transaction: 'remove', reaction: 'trash' })).toBe(true)
  })
})

describe('deny_past_dates', () => {
  const rule = { rule: 'deny_past_dates', field: 'start' }

  it('allows future dates, and today in every time zone', () => {
    for (const start of [
      '2026-11-16T12:00:00Z',
      '2026-11-16',
      '2026-11-15',
      '2027-01-01T00:00',
      NOON + 1000,
      NOON / 1000 + 5,
      '2026-11-16T13:30:00+01:00',
    ])
      expect(passes(rule, { start }), String(start)).toBe(true)
  })

  it('blocks past dates and values that are not dates', () => {
    for (const start of [
      '2026-11-16T11:00:00Z',
      '2026-11-14',
      '2020-01-01',
      NOON - 120_000,
      '2026-11-16T12:30:00+01:00',
      '16/11/2030',
      'tomorrow',
      99_999_999_999,
      1_000_000_000_000_000,
      '1000000000000000',
      '2026-11-14T12:00:00-72:00',
      '2026-02-31',
      true,
      5,
    ])
      expect(passes(rule, { start }), String(start)).toBe(false)
  })
})

describe('deny_past_dates with calendar events', () => {
  const rule = { rule: 'deny_past_dates', field: 'start' }
  const ahead = '2027-01-05T09:00:00'

  it.each(['timeZone', 'time_zone', 'timezone', 'TIMEZONE', 'tz'])(
    'does not treat %s next to a date as a date',
    name => {
      for (const zone of [
        'Europe/Berlin',
        'America/Argentina/Buenos_Aires',
        'America/Port-au-Prince',
        'UTC',
        'Etc/GMT+5',
        'Z',
        'CET',
        '+01:00',
        '-0330',
        'UTC+2',
        'W. Europe Standard Time',
      ])
        expect(passes(rule, { start: { dateTime: ahead, [name]: zone } }), zone).toBe(true)
    },
  )

  it('still checks the date next to a time zone', () => {
    const start = { dateTime: '2020-01-05T09:00:00', timeZone: 'Europe/Berlin' }
    expect(passes(rule, { start })).toBe(false)
    expect(passes(rule, { start: { ...start, dateTime: 'tomorrow' } })).toBe(false)
  })

  it('blocks an invalid time zone, and a time zone in a date field', () => {
    for (const zone of [
      '2020-01-01',
      'tomorrow',
      'Etc/2020-01-01',
      'Europe/2020',
      'Europe/Berlin 2020-01-01',
      '-2020',
      '+99:00',
      `Europe/${'x'.repeat(100)}`,
      7,
      true,
    ])
      expect(passes(rule, { start: { dateTime: ahead, timeZone: zone } }), String(zone)).toBe(false)
    expect(passes(rule, { start: 'Europe/Berlin' })).toBe(false)
    expect(passes(rule, { start: { dateTime: ahead, where: 'Europe/Berlin' } })).toBe(false)
    expect(passes(rule, { start: { dateTime: ahead, timeZoneDate: 'UTC' } })).toBe(false)
  })

  it.each(['20270105T090000Z', '20270105T0900', '20261116T133000+0100'])(
    'reads %s, the iCalendar form',
    start => expect(passes(rule, { start })).toBe(true),
  )

  it.each([
    '20260105T090000Z',
    '20261116T123000+0100',
    '20270231T090000Z',
    '20270105T250000Z',
    '20270105',
    '20270105T09',
    '20270105 090000',
    '2027-0105T090000',
  ])('blocks %s, which is past or invalid', start => expect(passes(rule, { start })).toBe(false))
})

describe('time_window', () => {
  const berlin = {
    rule: 'time_window',
    days: ['mon', 'fri'],
    from: '09:00',
    to: '13:30',
    timezone: 'Europe/Berlin',
  }
  const at = (written: string) => ({ now: Date.parse(written) })

  it('allows its days and hours in its time zone, in summer and winter', () => {
    expect(passes(berlin, {}, at('2026-11-16T12:00:00Z'))).toBe(true)
    expect(passes(berlin, {}, at('2026-11-16T12:30:00Z'))).toBe(false)
    expect(passes(berlin, {}, at('2026-11-16T07:59:00Z'))).toBe(false)
    expect(passes(berlin, {}, at('2026-07-13T07:00:00Z'))).toBe(true)
    expect(passes(berlin, {}, at('2026-11-17T12:00:00Z'))).toBe(false)
  })

  it('crosses midnight', () => {
    const night = { rule: 'time_window', days: ['mon'], from: '22:00', to: '06:00' }
    expect(passes(night, {}, at('2026-11-16T23:00:00Z'))).toBe(true)
    expect(passes(night, {}, at('2026-11-17T05:59:00Z'))).toBe(true)
    expect(passes(night, {}, at('2026-11-17T06:00:00Z'))).toBe(false)
    expect(passes(night, {}, at('2026-11-16T05:00:00Z'))).toBe(false)
  })
})

describe('require_approval', () => {
  it('asks always, or only when a field is present', () => {
    expect(hitsOf({ rule: 'require_approval' }, {})).toMatchObject([{ effect: 'confirm' }])
    const rule = { rule: 'require_approval', field: 'force' }
    expect(passes(rule, {})).toBe(true)
    expect(hitsOf(rule, { Force: false })).toMatchObject([{ effect: 'confirm' }])
  })
})

describe('pii_detect and secret_detect', () => {
  it('find personal data of the configured kinds in strings and numbers', () => {
    const rule = { rule: 'pii_detect', kinds: ['card', 'email'] }
    expect(passes(rule, { text: 'call +44 20 7946 0958' })).toBe(true)
    expect(passes(rule, { text: [{ to: 'ada@example.com' }] })).toBe(false)
    expect(passes(rule, { number: 4111111111111111 })).toBe(false)
    expect(passes({ rule: 'pii_detect' }, { text: 'call +44 20 7946 0958' })).toBe(false)
  })

  it('find secrets and never quote them, not even from a key', () => {
    const secret = ['ghp', 'k3Jd9sLq2Zx7Vb5Nm1Rt8Yw4Pc6Hf0Ga1Te2'].join('_')
    const split = `${secret.slice(0, 9)}\u200B${secret.slice(9)}`
    for (const args of [
      { note: `use ${secret}` },
      { note: split },
      { [secret]: 1 },
      { [secret]: { deep: secret } },
    ]) {
      const hits = hitsOf({ rule: 'secret_detect' }, args)
      expect(hits).toHaveLength(1)
      expect(JSON.stringify(hits)).toContain('github-token')
      expect(JSON.stringify(hits)).not.toContain(secret)
    }
    expect(passes({ rule: 'secret_detect' }, { note: 'nothing here' })).toBe(true)
  })
})
