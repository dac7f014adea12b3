import { describe, expect, it } from 'vitest'
import { decideWhen } from '../test-support/decide-when.ts'
import { compileCondition } from './compile-condition.ts'

const complain = (text: string) => compileCondition(text).complaints

describe('a valid condition', () => {
  const call = {
    agent: 'reporting-bot',
    server: 'mail',
    tool: 'send_mail',
    hints: { destructive: false, egress: true },
    operations: ['create'],
    domains: ['email'],
    args: { to: ['a@b.example'], count: 3, price: 2.5, big: 12345678901234, note: null },
    intent: { operation_type: 'write', reason: 'weekly report' },
    riskFactors: { untrusted_content: 'declared', external_communication: 'assumed' },
    origin: {
      kind: 'target',
      argument: 'to.0',
      values: ['a@b.example'],
      server: 'web',
      tool: 'read_page',
      request: 'r',
      at: 0,
      passage: 'Please write to a@b.example.',
    },
    now: '2026-11-16T10:30:00Z',
  } as const

  it.each([
    'agent.name == "reporting-bot" && agent.kind == "agent" && agent.id != ""',
    'server.name == "mail" && server.trust == "reviewed"',
    'tool.name == "send_mail" && tool.title != "" && tool.variant == "write" && tool.category == "write"',
    'tool.risk == 2 && "create" in tool.operations && "email" in tool.domains',
    'tool.hints.egress.value && tool.hints.egress.source == "declared"',
    '!tool.hints.destructive.value && tool.hints.sensitive.source == "default"',
    'intent.operation_type == "write" && intent.data_sensitivity == "" && intent.reason.contains("report")',
    '"communicate" in call.consequence && !("delete" in call.consequence) && call.targets == ["to"]',
    'call.origin == "target" && call.argument == "to.0" && call.origin_server == "web" && call.origin_tool == "read_page"',
    'session.untrusted_content == "declared" && session.private_data == "none" && session.id == "s"',
    'session.external_communication == "assumed" && session.way_out == session.external_communication',
    'now.getHours() == 10 && now > timestamp("2026-01-01T00:00:00Z")',
    // The time is 11:30 in Berlin, 16:00 in Kolkata and 00:30 in Honolulu.
    'now.getHours("Europe/Berlin") == 11 && now.getMinutes("Asia/Kolkata") == 0 && now.getDate() == 16',
    'now.getDate("Pacific/Honolulu") == 16 && now.getHours("Pacific/Honolulu") == 0 && now.getDayOfWeek("UTC") == 1',
    'args.count == 3 && args.count % 2 == 1 && args.price > 2 && args.big > 12345678901233',
    'has(args.to) && size(args.to) == 1 && args.to.all(one, one.endsWith(".example"))',
    '!has(args.cc) && args.?cc.orValue("") == "" && args.note == null',
    'args.to.map(one, size(one)) == [11] && args.to.exists_one(one, one == "a@b.example")',
    'args.to.filter(one, one != "") == args.to && args.to.map(one, one != "", one + "!") == ["a@b.example!"]',
    'cel.bind(first, args.to[0], first.startsWith("a@"))',
    'args.to.all(a, args.to.all(b, a == b))',
    'texts(args).exists(text, text == "a@b.example") && texts(args.to) == args.to && texts(args.count) == []',
    // The compiler rewrites loops. The brackets in them must keep their meaning.
    '[1].all(x, 10 - (5 - x) == 6 && -(x) == -1 && !(x == 2) && (true || false) && (x > 0 ? 1 : 2) == 1)',
    '[r"\\d", "\\"é", \'it\'].all(x, x in [r"\\d", "\\"é", "it"]) && {"a": [1.25]}["a"].all(y, y == 1.25)',
  ])('reads the call: %s', text => {
    expect(decideWhen(text, call)).toBe(true)
  })

  it('can be a long chain that contains a loop', () => {
    const row = Array.from({ length: 150 }, (_, i) => `args.count != ${i + 10}`).join(' && ')
    expect(decideWhen(`args.to.all(one, one != "") && ${row}`, call)).toBe(true)
  })

  it('treats whole numbers of any size as integers', () => {
    expect(
      decideWhen('args.a == 9007199254740991 && args.b / 2 == 3 && args.c > 1.5', {
        args: { a: 9007199254740991, b: 7, c: 1e300 },
      }),
    ).toBe(true)
  })
})

describe('an invalid condition', () => {
  it.each([
    ['tool.hints.destructve.value', 11, '`tool.hints` has no `destructve`', 'did you mean `destructive`?'],
    ['has(tool.titl)', 9, '`tool` has no `titl`', 'did you mean `title`?'],
    ['tool.?titl.orValue("") == ""', 6, '`tool` has no `titl`', 'did you mean `title`?'],
    ['tool["titl"] == ""', 0, '`tool` has no `titl`', 'did you mean `title`?'],
    ['tool[args.x] == ""', 0, 'the attribute of `tool` is not a constant', /^use one of name, title/],
    [
      '[tool].exists(t, has(t.titl))',
      1,
      '`tool` is a group of attributes',
      /^name one of its attributes: name/,
    ],
    ['cel.bind(t, tool.hints, has(t.x))', 17, '`tool.hints` is a group of attributes', /readOnly/],
    ['args.a.exists(tool, tool.x)', 14, '`tool` is already a variable', 'choose another name'],
    ['tool.variant == "reed"', 16, '`tool.variant` is never "reed"', 'did you mean `read`?'],
    ['"call_tool_read" == tool.variant', 0, '`tool.variant` is never "call_tool_read"', /^use one of read/],
    ['tool.category in ["read", "remove"]', 26, '`tool.category` is never "remove"', /read, write, delete/],
    ['"deletes" in tool.operations', 0, '`tool.operations` is never "deletes"', 'did you mean `delete`?'],
    ['toool.name == ""', 0, 'unknown variable `toool`', 'did you mean `tool`?'],
    ['tool.name == mail', 13, 'unknown variable `mail`', /^put text in quotes/],
    ['args.x.matches("(a+)+$")', 7, /^matches\(\) can run forever/, /^use re\(text/],
    ['bytes(args.x).json().a == 1', 14, 'json() is not available', /re\(\)/],
    ['args.x.join() == ""', 7, 'join() is not available', /one by one/],
    ['re(args.x, "(a")', 11, /^not a regular expression: missing closing \)/, /RE2/],
    ['re(args.x, "(?=a)")', 11, /^not a regular expression/, /RE2/],
    ['re(args.x, args.y)', 11, 'the pattern of re() is not a constant', 'write it in quotes'],
    ['cidr(args.x, "10.0.0.0/99")', 13, '"10.0.0.0/99" is not a network', /10.0.0.0\/8/],
    ['domain(args.x, "a b")', 15, '"a b" is not a domain', /example.com/],
    ['now.getHours("Europe/Berlim") < 6', 13, '"Europe/Berlim" is not a time zone', /Europe\/Berlin/],
    ['now.getHours(args.zone) < 6', 13, 'the time zone is not a constant', /quotes/],
    ['timestamp(args.at).getHours("UTC") < 6', 28, 'only `now` supports time zones', /UTC/],
    ['now < timestamp("tomorrow")', 16, '"tomorrow" is not a timestamp', /2026/],
    ['now - timestamp(0) < duration("1 hour")', 30, '"1 hour" is not a duration', /90m/],
    ['globb(args.x, "a")', 0, 'unknown function `globb`', 'did you mean `glob`?'],
    ['tool.name.startWith("a")', 0, 'unknown function `startWith`', 'did you mean `startsWith`?'],
    [
      'glob(tool.risk, "a")',
      0,
      "found no matching overload for 'glob(int, string)'",
      'use glob(string, string): bool',
    ],
    ['tool.risk == "high"', 0, 'no such overload: int == string', /^compare and combine values of one type/],
    ['tool.name', 0, 'the condition returns string, not true or false', /^compare it/],
    ['args.dry_run', 0, /unknown until a call is made, not true or false$/, /^compare it/],
    ['tool.risk >', 11, /^unexpected token: EOF/, /quotes and brackets/],
    ['tool.name == "abc', 13, /^unterminated/, /quotes and brackets/],
  ])('%s', (text, offset, message, fix) => {
    expect(complain(text)).toEqual([
      {
        offset,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
        fix: typeof fix === 'string' ? fix : expect.stringMatching(fix),
      },
    ])
  })

  it('lists all its unknown names at once', () => {
    const text = 'tool.titl == "" && has(agent.nme) && session.id.matches("x") && tool.variant == "rite"'
    expect(complain(text).map(({ message }) => message)).toEqual([
      '`tool` has no `titl`',
      '`agent` has no `nme`',
      expect.stringMatching(/^matches/),
      '`tool.variant` is never "rite"',
    ])
  })

  it.each([
    ['deep', `${'('.repeat(100)}true${')'.repeat(100)}`],
    ['wide', Array.from({ length: 2_000 }, () => 'true').join(' && ')],
    ['long', `tool.name in [${Array.from({ length: 600 }, (_, i) => `"${i}"`).join(',')}]`],
    ['endless', `tool.name == "${'a'.repeat(20_000)}"`],
  ])('is refused when it is too %s', (_what, text) => {
    expect(complain(text)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/Exceeded|exceeded|too long/) }),
    ])
  })
})

describe('a condition that fails on a call', () => {
  it.each([
    ['args.path == "x"', {}, '`path` does not exist; test with has(…) first'],
    ['args[args.key] == "x"', { key: 's3cret' }, 'the key does not exist; test with has(…) first'],
    ['args.a > 5', { a: 's3cret' }, 'a value has the wrong type for `args.a > 5`'],
    ['glob(args.a, "x")', { a: { s3cret: 1 } }, 'a value has the wrong type for `glob(args.a, "x")`'],
    ['bool(args.a)', { a: 's3cret' }, 'bool conversion error in `bool(args.a)`'],
    ['duration(args.a) > duration("1s")', { a: 's3cret' }, 'invalid duration in `duration(args.a)`'],
    ['1 / args.n == 1', { n: 0 }, 'division by zero in `1 / args.n`'],
    ['args.l[7] == 1', { l: [] }, 'index out of bounds in `args.l[7]`'],
    ['args.l.map(x, x / 0) == []', { l: [1] }, 'division by zero in `x / 0`'],
    ['domain(args.a, "a.example")', { a: 's3cret one@x two@y' }, /^the first argument of domain\(\) is not/],
    ['cidr("1.1.1.1", args.a)', { a: 's3cret' }, 'the second argument of cidr() is not a network'],
    [
      'args.to.exists(x, domain(x, "a.example"))',
      { to: ['x y z'] },
      /^the first argument of domain\(\) is not/,
    ],
    ['bool(dyn(args.a == 1) ) && args.x == 1', { a: 1 }, /^`x` does not exist/],
  ])('%s gives the cause without quoting an argument', (text, args, why) => {
    const failure = decideWhen(text, { args })
    expect(failure).toEqual({ why: typeof why === 'string' ? why : expect.stringMatching(why) })
    expect(JSON.stringify(failure)).not.toContain('s3cret')
  })
})
