import { domainToASCII } from 'node:url'
import { describe, expect, it } from 'vitest'
import { hitsOf, passes } from './test-support/facts-of.ts'

const OWN = [
  'ada@example.com',
  'Ada <ada@example.com>',
  '"Ada, L." <ada@EXAMPLE.com>',
  'mailto:ada@example.com',
  'mailto:ada@example.com?subject=Hi;%20bob@evil.com&body=a%0D%0Ab%20x@evil.com%20https://evil.com&cc=ada@example.com',
  'ada@example.com.',
]
const TRICKS = [
  'x@evil.com',
  '"ada@example.com" <x@evil.com>',
  'ada@example.com <x@evil.com>',
  'x@evil.com <ada@example.com>',
  'ada@example.com, x@evil.com',
  'ada@example.com;x@evil.com',
  'ada@example.com\nBcc: x@evil.com',
  'ada@example.com x@evil.com',
  'x@example.com.evil.com',
  'x@notexample.com',
  'x@evil.com@example.com',
  'x%evil.com@example.com',
  'evil.com!x@example.com',
  '"x@evil.com"@example.com',
  'mailto:ada@example.com?bcc=x@evil.com',
  'mailto:ada@example.com?bcc=x%40evil.com',
  'mailto:ada@example.com?%62cc=x@evil.com',
  'mailto:ada@example.com?cc=ada@example.com=,x@evil.com',
  'mailto:ada@example.com?a=1?cc=x@evil.com',
  'mailto:ada@example.com?subject=a&amp;cc=x@evil.com',
  'mailto:ada@example.com?subject=a;cc=x@evil.com',
  'mailto:ada@example.com?subject=a%0ABcc:x@evil.com',
  'mailto:ada@example.com?subject=a?&cc=x@evil.com',
  'mailto:?%74o=x@evil.com',
  'mailto:ada@example.com?x=%E0y%40evil.com',
  'mailto:%E0da@example.com',
  `mailto:ada@example.com?body=${'a'.repeat(9000)}`,
  'mailto:ada@example.com?c\tc=x@evil.com',
  'mailto:ada@example.com?b\ncc\r=root',
  '//example.com/<x@evil.com>',
  '//example.com/,x@evil.com',
  'x://example.com/,x@evil.com',
  'x://example.com/<x@evil.com>',
  'https://example.com/;x@evil.com',
  'https://example.com/@evil.com',
  'https://example.com/?x＠evil.com',
  'example.com/<x＠evil.com>',
  '=?utf-8?q?x=40evil.com=2C?= <ada@example.com>',
  '=?utf-8?q?x=40evil.com=3e?=@example.com',
  'x@ехample.com',
  'x@xn--xample-9uf.com',
  'x@[10.0.0.1]',
  'ada@example.com>',
  'not an address',
]

describe('allow_domains', () => {
  const rule = { rule: 'allow_domains', field: 'to', domains: ['example.com', '*.partner.org'] }

  it('allows its domains in every spelling', () => {
    for (const to of [
      ...OWN,
      'x@mail.partner.org',
      'https://example.com/a?b',
      'example.com',
      'example.com:8080/x',
    ])
      expect(passes(rule, { to }), to).toBe(true)
    expect(passes(rule, { to: ['ada@example.com', 'bob@example.com'] })).toBe(true)
    expect(passes(rule, { to: 'x@ｅxample.com' }), 'wide letters are the same domain').toBe(true)
  })

  it('blocks other domains and ambiguous values', () => {
    for (const to of TRICKS) expect(passes(rule, { to }), to).toBe(false)
  })

  it('blocks links to other hosts and ambiguous links', () => {
    const links = [
      'https://evil.com/example.com',
      'https://example.com@evil.com/',
      'https://example.com\\@evil.com/',
      'https://example.com.evil.com',
      'https://evil.com?example.com',
      '//evil.com/x',
      'https://exаmple.com',
      'javascript://example.com/%0aalert(1)\\',
      'https://sub.example.com',
      'example.com\nexample.com',
      'example.com\r\nexample.com/x',
    ]
    for (const to of links) expect(passes(rule, { to }), to).toBe(false)
  })

  it('blocks links whose scheme ignores the host', () => {
    for (const field of ['to', 'url'])
      for (const link of [
        'javascript://example.com/%0aalert(1)',
        'file://example.com/etc/passwd',
        'data://example.com/x',
        'data:text/html,//example.com',
        'blob:https://example.com/x',
        'unheard-of://example.com',
      ])
        expect(passes({ ...rule, field }, { [field]: link }), `${field} ${link}`).toBe(false)
    for (const link of ['HTTPS://example.com', 'wss://example.com/x', 'ssh://example.com/x', '//example.com'])
      expect(passes({ ...rule, field: 'url' }, { url: link }), link).toBe(true)
  })

  it('allows an @ or a comma after the host in a field for links', () => {
    const links = [
      'https://example.com/@ada/x',
      'https://example.com/a,b;c',
      'https://example.com/?to=x@evil.com',
    ]
    for (const url of links) {
      for (const field of ['url', 'callbackUrl', 'links[*]'])
        expect(passes({ ...rule, field }, { url, callbackUrl: url, links: [url] }), `${field} ${url}`).toBe(
          true,
        )
      expect(passes({ rule: 'allow_domains', domains: ['example.com'] }, { url }), url).toBe(true)
      expect(passes(rule, { to: url }), url).toBe(false)
    }
    for (const url of [
      '//evil.com@example.com/',
      'evil.com://example.com/',
      'https://example.com/,https://evil.com/',
      'https://example.com/<https://evil.com/>',
    ])
      expect(passes({ ...rule, field: 'url' }, { url }), url).toBe(false)
  })

  it('reads names with up to 127 labels and blocks longer ones', () => {
    expect(passes(rule, { to: `x@${'a.'.repeat(120)}partner.org` })).toBe(true)
    expect(passes(rule, { to: `x@${'a.'.repeat(123)}partner.org` })).toBe(false)
    expect(passes(rule, { to: `https://${'a.'.repeat(60)}evil.com/` })).toBe(false)
  })

  it('blocks values that are not strings and allows empty ones', () => {
    expect(passes(rule, { to: 5 })).toBe(false)
    expect(passes(rule, { to: { name: 'Ada' } })).toBe(false)
    expect(passes(rule, { to: null })).toBe(true)
    expect(passes(rule, { to: [] })).toBe(true)
    expect(passes(rule, {})).toBe(true)
  })

  it('searches lists and objects, and checks a string where an object was expected', () => {
    const nested = { ...rule, field: 'to[*].address' }
    expect(passes(nested, { to: [{ address: 'ada@example.com', name: 'x@evil.com' }] })).toBe(true)
    expect(passes(nested, { to: [{ address: 'ada@example.com' }, { address: 'x@evil.com' }] })).toBe(false)
    expect(passes(nested, { to: { address: 'x@evil.com' } })).toBe(false)
    expect(passes(nested, { to: 'x@evil.com' })).toBe(false)
    expect(passes(nested, { TO: [{ Address: 'x@evil.com' }] })).toBe(false)
  })

  it('checks recipients and links at any depth when no field is given', () => {
    const anywhere = { rule: 'allow_domains', domains: ['example.com'] }
    expect(passes(anywhere, { message: { cc: ['x@evil.com'] } })).toBe(false)
    expect(passes(anywhere, { config: { url: 'https://evil.com' } })).toBe(false)
    expect(passes(anywhere, { body: 'see evil.com' })).toBe(true)
  })
})

describe('allow_domains without a field', () => {
  const rule = { rule: 'allow_domains', domains: ['example.com'] }

  it.each([
    'url',
    'callback_url',
    'webhookUrl',
    'imageUrls',
    'URLs',
    'baseURL',
    'redirect-uri',
    'cluster-uri',
    'CALLBACKHOST',
    'externalLinks',
    'allowed_domains',
    'notify_webhook',
    'oauthEndpoint',
    'hrefs',
  ])('treats %s as a field for links', field => {
    for (const value of ['https://evil.com/x', ['https://example.com', 'https://evil.com'], [['evil.com']]])
      expect(passes(rule, { config: [{ [field]: value }] })).toBe(false)
    expect(passes(rule, { [field]: ['https://example.com/x', 'example.com'] })).toBe(true)
  })

  it('finds a link in an object by its own name and inside a link object', () => {
    expect(passes(rule, { links: [{ title: 'Our site', href: 'https://example.com' }] })).toBe(true)
    expect(passes(rule, { links: [{ title: 'Our site', href: 'https://evil.com' }] })).toBe(false)
    expect(passes(rule, { callback_url: { raw: 'https://evil.com' } })).toBe(false)
  })

  it('ignores fields whose names only resemble links', () => {
    for (const args of [
      { subdomain: 'acme' },
      { symlink: '/tmp/x', stashRef: 'stash@{0}', branchRef: 'x' },
      { curl: 'curl -s x' },
      { allowExternalLinks: true },
      { maximum_number_of_urls: 50 },
      { url_pattern: '/a/*' },
      { hostname_label: 'x' },
    ])
      expect(passes(rule, args), JSON.stringify(args)).toBe(true)
    for (const host of [0, 2_130_706_433, -1]) expect(passes(rule, { host }), `${host}`).toBe(false)
  })
})

describe('block_external', () => {
  const rule = { rule: 'block_external', internal: ['example.com'] }

  it.each([
    'To',
    'to_email',
    'toEmails',
    'to_addresses',
    'cc_recipients',
    'bccEmails',
    'recipient_email',
    'attendee_emails',
    'email_addresses',
    'e-mail',
    'send_to',
    'forwardTo',
    'email_to',
    'emailBcc',
    'to_list',
    'bccList',
    'to-email',
    'cc-list',
  ])('treats %s as a field for recipients', field => {
    expect(passes(rule, { message: { [field]: 'x@evil.com' } })).toBe(false)
  })

  it('allows internal recipients and blocks all others', () => {
    expect(passes(rule, { to: OWN, cc: 'bob@example.com' })).toBe(true)
    expect(passes(rule, { to: 'ada@example.com', bcc: ['x@evil.com'] })).toBe(false)
    for (const to of TRICKS) expect(passes(rule, { to }), to).toBe(false)
  })
})

describe.each([
  { rule: 'block_external', internal: ['example.com'] },
  { rule: 'allow_domains', domains: ['example.com'] },
  { rule: 'allow_addresses', addresses: ['*@example.com'] },
])('$rule with objects that describe people', rule => {
  const email = 'ada@example.com'

  it.each<[args: unknown]>([
    [{ to: [{ name: 'Ada Lovelace', email }] }],
    [{ to: { name: 'J.R. Smith', address: email } }],
    [{ attendees: [{ email, optional: true }] }],
    [{ attendees: [{ email, displayName: 'Ada', additionalGuestCount: 0 }] }],
    [{ toRecipients: [{ type: 'required', emailAddress: { address: email, name: 'Ada' } }] }],
    [{ email: { subject: 'Release 1.2 is out', to: [email] } }],
    [{ emails: [{ id: 5, address: email }] }],
  ])('ignores names, flags and numbers next to an address: %j', args => {
    expect(passes(rule, args)).toBe(true)
  })

  it.each<[args: unknown]>([
    [{ to: [{ name: 'x@evil.com', email }] }],
    [{ to: [{ name: 'x＠evil.com', email }] }],
    [{ to: [{ name: 'x y%40evil.com', email }] }],
    [{ to: [{ name: 'evil.com', email }] }],
    [{ to: [{ name: '=?utf-8?b?eEBldmlsLmNvbQ==?=', email }] }],
    [{ to: [{ url: 'https://evil.com', email }] }],
    [{ to: [{ email, more: { address: 'x@evil.com' } }] }],
    [{ to: [{ 'x@evil.com': true, email }] }],
    [{ to: [{ email, cc: 'U123' }] }],
    [{ to: [{ email: 'U123', alternate: email }] }],
    [{ to: ['U123', { email }] }],
    [{ to: [{ user: 'U123' }, { email }] }],
    [{ to: [{ name: 'Ada' }] }],
    [{ to: [{ id: 5 }] }],
    [{ to: [{ user: 'U123', email: 'nobody@' }] }],
    [{ to: 'U123', cc: email }],
    [{ to: { email, others: ['U123'] } }],
  ])('checks every other value that may be a recipient: %j', args => {
    expect(passes(rule, args)).toBe(false)
  })

  it('treats every configured field as a recipient', () => {
    for (const field of ['*', 'person.*', '**.user'])
      expect(passes({ ...rule, field }, { user: 'U123', person: { user: 'U123', email } }), field).toBe(false)
  })
})

describe('block_domains', () => {
  const rule = { rule: 'block_domains', domains: ['evil.com'] }

  it('finds the domain and its subdomains in any text', () => {
    for (const body of [
      'see https://evil.com/x',
      'see EVIL.com.',
      'x@sub.evil.com',
      'https://good.com@evil.com',
      'http://evil%2Ecom/',
      'ｅｖｉｌ．ｃｏｍ',
      'evil。com',
      'ev\u200Bil.com',
      'еvil.com',
      domainToASCII('еvil.com'),
    ])
      expect(passes(rule, { a: [{ body }] }), body).toBe(false)
  })

  it.each([
    'http://ev\til.com/',
    'http://ev\nil.com',
    'see http:/\t/\rev\r\nil.c\tom/x',
    'http://good.com@ev\til.com',
    'http:ev\til.com',
    'http://%EF%BD%85vil.com',
    'http://evil%E3%80%82com',
    'http://ev%C2%ADil.com',
    'http://ev%\t69l.com',
    'http://%F0%9D%93%AE%76il.com',
    'http://%FF%2Eevil.com',
    'only 5%devil.evil.com',
  ])('finds the domain in %j as a URL parser reads it', body => {
    expect(passes(rule, { body })).toBe(false)
  })

  it('finds an IP address in every spelling', () => {
    const metadata = { rule: 'block_domains', domains: ['evil.com', '169.254.169.254'] }
    for (const url of [
      'http://169.254.169.254/latest',
      'http://2852039166/',
      'http://0xa9fea9fe/',
      'http://0xA9.254.43518',
      'http://0251.0376.0251.0376:80/x',
      'http://[::ffff:a9fe:a9fe]/',
      'http://[::ffff:169.254.169.254]/',
      'http://28520\t39166/',
      'http://%32852039166/',
      'http://２８５２０３９１６６',
      2_852_039_166,
    ])
      expect(passes(metadata, { url }), `${url}`).toBe(false)
    for (const url of [
      'http://169.254.169.253/',
      'version 1.2.3.4.5, 2852039165 of 28520391660',
      'a2852039166',
      '[::1]',
      '0x',
      1,
    ])
      expect(passes(metadata, { url }), `${url}`).toBe(true)
    expect(passes(rule, { url: 'http://2852039166/' })).toBe(true)
  })

  it('reads a short number as an IP address only where a host is expected', () => {
    const own = { rule: 'block_domains', domains: ['0.0.0.0', '127.0.0.1', '10.0.0.1'] }
    for (const args of [
      { offset: 0 },
      { text: 'Section 0, 0 items, 0x0, ratio 0.0, offset:0, {"offset":0}' },
      { price: 10.1, temperature: 0, link: { clicks: 0 } },
      { text: 'version 10.1, and 10.0.1 after it' },
      { since: '2026-01-01T00:00:00Z', at: '00:00' },
    ])
      expect(passes(own, args), JSON.stringify(args)).toBe(true)
    for (const args of [
      { url: 'http://0/' },
      { host: 0 },
      { hosts: ['0'] },
      { proxy: { host: '127.1' } },
      { text: 'see http://127.1/ and more' },
      { text: 'see http:0' },
      { text: 'see https:/0x7f.1' },
      { text: 'see http://a@10.1:80/' },
      { text: '//0' },
      { text: '0.0.0.0' },
      { text: '2130706433' },
    ])
      expect(passes(own, args), JSON.stringify(args)).toBe(false)
    expect(passes({ ...own, field: 'target' }, { target: '0' })).toBe(false)
  })

  it('finds it between Markdown underscores and dashes', () => {
    const line = '_'.repeat(100)
    for (const body of [
      'https://evil.com_',
      '_https://evil.com_',
      '__evil.com__',
      'see -evil.com-',
      'http://a_b.evil.com_/x',
      'é _evil.com_',
      'https://evil.com%5f',
      `${line}evil.com${line}`,
      `é ${line}evil.com${line}`,
      `${'-'.repeat(70)}sub.evil.com`,
      '_еvil.com_',
    ])
      expect(passes(rule, { body }), body).toBe(false)
    for (const body of ['_notevil.com_', 'not_evil.com', '_evil.community_', `é ${'a'.repeat(70)}_evil.com`])
      expect(passes(rule, { body }), body).toBe(true)
  })

  it('treats the end of a line as the end of a name outside links', () => {
    for (const body of ['the ev\nil.com', 'http://good.com/ev\til', 'a\tev\til.com', '100% good.com'])
      expect(passes(rule, { body }), body).toBe(true)
  })

  it('finds it after as many labels as a name can have', () => {
    for (const labels of [9, 10, 11, 21, 40, 123])
      for (const host of [`${'a.'.repeat(labels)}evil.com`, `ä.${'a.'.repeat(labels - 1)}evil.com`])
        for (const body of [`https://${host}/`, `x@${host}`, `https://${host.replace('.com', '%2Ecom')}/`])
          expect(passes(rule, { body }), body).toBe(false)
    expect(passes(rule, { body: `${'a'.repeat(60)}.`.repeat(100).concat('evil.com') })).toBe(false)
    expect(passes(rule, { body: 'a.'.repeat(123).concat('devil.com') })).toBe(true)
  })

  it('ignores other domains', () => {
    for (const body of ['notevil.com', 'evil.com.au.example', 'evil company', 'devil.community'])
      expect(passes(rule, { body }), body).toBe(true)
  })
})

describe('allow_addresses', () => {
  const rule = { rule: 'allow_addresses', addresses: ['ada@example.com', '*@partner.org'] }

  it('allows listed addresses', () => {
    for (const to of [...OWN, 'ANY.body@partner.org']) expect(passes(rule, { to }), to).toBe(true)
  })

  it('blocks everything else', () => {
    for (const to of [...TRICKS, 'bob@example.com', 'ada+x@example.com', 'x@sub.partner.org'])
      expect(passes(rule, { to }), to).toBe(false)
    expect(passes(rule, { to: [7] })).toBe(false)
  })
})

describe('block_addresses', () => {
  const rule = { rule: 'block_addresses', addresses: ['ada@example.com', 'press-*@example.org'] }

  it('finds the address in every spelling and in any text', () => {
    for (const text of [
      'write to ada@example.com.',
      '?to=ada@example.com&x',
      '<ADA@Example.com>',
      'ada+news@example.com',
      'аda@example.com',
      'mailto:ada%40example.com',
      'press-eu@example.org',
      `https://x.org/${'path/'.repeat(40)}?to=ada@example.com`,
      `ada+${'x'.repeat(70)}@example.com`,
      '%61da@example.com',
      'mailto:ada%2Bx%40example%2Ecom',
      'ada@example。com',
      'ada＠example．com',
      '"ada"@example.com',
      'ada @example.com',
      'a@b.c@ada@example.com',
      'ada%EF%BC%A0example.com',
      '%EF%BD%81da@example%E3%80%82com',
      'mailto:a\tda@exam\nple.com',
      'ada(the other)@example.com',
      'ada@(x)example.com',
      'ada  @ example.com',
      'ada (x) @\r\n example.com',
      '"a\\da"@example.com',
    ])
      expect(passes(rule, { text }), text).toBe(false)
  })

  it('ignores other addresses', () => {
    for (const text of [
      'bob@example.com',
      'ada@example.com.au',
      'ada at example.com',
      'ada (@bob) example.com',
    ])
      expect(passes(rule, { text }), text).toBe(true)
  })
})

describe('max_recipients', () => {
  const rule = { rule: 'max_recipients', max: 2 }

  it('counts across fields, lists, strings and objects', () => {
    expect(passes(rule, { to: 'a@x.com', cc: ['b@x.com'] })).toBe(true)
    expect(passes(rule, { to: 'a@x.com', cc: ['b@x.com'], bcc: 'c@x.com' })).toBe(false)
    expect(passes(rule, { to: 'a@x.com, b@x.com; c@x.com' })).toBe(false)
    expect(passes(rule, { to: 'a@x.com b@x.com c@x.com' })).toBe(false)
    expect(passes(rule, { to: ['U1', 'U2', 'U3'] })).toBe(false)
    expect(passes(rule, { message: { to: [[['a@x.com'], 'b@x.com'], 'c@x.com'] } })).toBe(false)
  })

  it('counts a person with name and address once', () => {
    expect(passes(rule, { attendees: [{ email: 'a@x.com', name: 'A' }, { email: 'b@x.com' }] })).toBe(true)
    expect(passes(rule, { to: '"B, A" <a@x.com>, "D, C" <c@x.com>' })).toBe(true)
    const twice = (address: string) => ({ name: address.toUpperCase(), email: address })
    expect(passes(rule, { to: [twice('a@x.com'), twice('b@x.com')] })).toBe(true)
    expect(passes(rule, { to: [twice('a@x.com'), { name: 'c@x.com', email: 'b@x.com' }] })).toBe(false)
  })

  it('counts a value reached by several paths once', () => {
    const paths = { ...rule, fields: ['to', 'to[*]', 'to[0].email', 'to[*].email', '*'] }
    expect(passes(paths, { to: [{ email: 'a@x.com' }, { email: 'b@x.com' }] })).toBe(true)
    expect(passes(paths, { to: [{ email: 'a@x.com' }, { email: 'b@x.com' }], cc: 'c@x.com' })).toBe(false)
    expect(passes({ ...rule, fields: ['a.to', '**.to'] }, { a: { to: 'a@x.com' }, to: 'b@x.com' })).toBe(true)
  })

  it('counts thousands of values below a key of half a megabyte quickly', () => {
    const people = Array.from({ length: 5000 }, () => ({ to: 'a@x.com' }))
    const started = process.cpuUsage()
    expect(passes(rule, { ['k'.repeat(500_000)]: people })).toBe(false)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
  })

  it('counts every recipient inside brackets, quotes and keys', () => {
    for (const to of [
      '<a@x.com><b@x.com><c@x.com>',
      '"x" <a@x.com> "y" <b@x.com> "z" <c@x.com>',
      '"<" a@x.com b@x.com, "<" c@x.com d@x.com',
      'A <a@x.com>, b@x.com c@x.com',
      '"U1,U2,U3"',
      '<U1;U2;U3',
      { 'a@x.com': 'A', 'b@x.com': 'B', 'c@x.com': 'C' },
    ])
      expect(passes(rule, { to }), JSON.stringify(to)).toBe(false)
    expect(passes(rule, { to: '"a@x.com" <a@x.com>, b@x.com <b@x.com>' })).toBe(true)
  })

  it('counts recipients after the question mark of a link', () => {
    expect(passes(rule, { to: 'mailto:a%40x.com?cc=b%40x.com&subject=c@x.com' })).toBe(true)
    expect(passes(rule, { to: 'mailto:a%40x.com?cc=b%40x.com&bcc=c%40x.com' })).toBe(false)
    expect(passes(rule, { to: `mailto:a@x.com?body=${'a'.repeat(9000)}` })).toBe(false)
  })
})

describe('a call with more addresses than the limit', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `n${at}@example.com`)
  const RULES = [
    { rule: 'allow_addresses', addresses: ['*@example.com'] },
    { rule: 'block_addresses', addresses: ['ada@evil.example'] },
    { rule: 'allow_domains', field: 'to', domains: ['example.com'] },
    { rule: 'block_external', internal: ['example.com'] },
  ]

  it.each(RULES)('is blocked by $rule, in one string or in many', rule => {
    const lists = Array.from({ length: 101 }, (_, at) =>
      many(100)
        .map(one => `a${at}${one}`)
        .join(','),
    )
    for (const to of [many(10_001).join(', '), lists]) {
      const [hit] = hitsOf(rule, { to })
      expect(hit?.reason.text).toContain('more than 10000 different addresses')
    }
  })

  it.each(RULES)('is not blocked by $rule when one address repeats', rule => {
    expect(passes(rule, { to: 'ada@example.com, '.repeat(20_000) })).toBe(true)
    expect(passes(rule, { to: many(9_000) })).toBe(true)
  })

  it('does not hide an address that follows a repeated one', () => {
    const [allow, block] = RULES
    expect(passes(allow, { to: ['n@example.com', 'n@example.com, x@evil.example'] })).toBe(false)
    expect(passes(allow, { to: ['n@example.com', 'n@example.com <x@evil.example>'] })).toBe(false)
    expect(passes(block, { a: 'n@b.c n@b.c', b: 'n@b.c ada@evil.example' })).toBe(false)
  })
})
