import type { ScanRule } from './scan-rule.ts'

interface MarkupRule extends ScanRule {
  /** Every repetition is bounded and starts after fixed text, which limits backtracking. */
  readonly patterns: readonly RegExp[]
}

/** Markup, markers and addresses that do more than describe a tool. */
export const MARKUP_RULES: readonly MarkupRule[] = [
  {
    id: 'secret-tag',
    severity: 'high',
    reason: 'a pseudo-tag that marks its text as hidden',
    // The closing tag is required, because a placeholder such as `--name <secret>` has none.
    patterns: [
      /<(secret|hidden|invisible|covert|concealed|stealth|confidential|private|internal)(?:[_ -][\w-]{1,24})?>[^<]{8,4000}<\/\1/gi,
    ],
  },
  {
    id: 'secret-mark',
    severity: 'medium',
    reason: 'a mark that declares the following text hidden',
    patterns: [
      /[[{]{1,2}\s{0,4}(?:secret|hidden|invisible|covert|concealed|stealth)(?:[_ -][\w-]{1,24})?\s{0,4}(?::[^[\]{}]{0,200})?[\]}]{1,2}/gi,
    ],
  },
  {
    id: 'role-tag',
    severity: 'high',
    reason: 'a pseudo-tag that impersonates the system or another party to the conversation',
    patterns: [
      /[<[{]{1,2}\s{0,4}\/?(?:system|assistant|admin|sys|override|sudo|jailbreak)(?:[_ -](?:prompt|message|instructions?|override|note|notice|reminder|directive|command|update|alert|role))?\s{0,4}(?::[^<>[\]{}]{0,200})?[>\]}]{1,2}/gi,
    ],
  },
  {
    id: 'chat-marker',
    severity: 'high',
    reason: 'a marker that is reserved by a model’s chat format',
    patterns: [
      /<\|[a-z_]{2,24}\|>|<<\/?SYS>>|\[\/?INST\]|<\/?(?:start|end)_of_turn>|<(?:tool_call|function_calls?)>/gi,
      /^#{2,6} ?(?:system|assistant|human|instruction|response)\b ?:?/gim,
    ],
  },
  {
    id: 'role-header',
    severity: 'high',
    reason: 'a line that impersonates a message from the system or another party',
    patterns: [
      // A single word counts only in capitals, because `system:` is often a parameter.
      /(?:^|[\n.!?\])}>-]\s{0,4}|#{1,6}\s{0,4}|\*\*|\[)(?:SYSTEM|ASSISTANT|DEVELOPER|ADMIN|HUMAN)(?:\s{0,4}[:\]#>]|\*\*)/g,
      /(?:^|[\n.!?\])}>-]\s{0,4}|#{1,6}\s{0,4}|\*\*|\[)(?:(?:new|updated|urgent) )?(?:system|assistant|admin|developer|llm|ai|model) (?:prompt|message|instructions?|override|note|notice|directive|command|update|alert)(?:\s{0,4}[:\]#>]|\*\*)/gi,
    ],
  },
  {
    id: 'attention-tag',
    severity: 'medium',
    reason: 'a pseudo-tag that claims importance for its text',
    patterns: [
      /<\/?(?:important|information|critical|urgent|mandatory|attention|priority|directive|command|warning)>/gi,
    ],
  },
  {
    id: 'html-comment',
    severity: 'medium',
    reason: 'a comment, which is invisible when rendered',
    patterns: [/<!--[^>]{12,2000}-->/g, /^\[(?:\/\/|comment)\]: ?#? ?[("][^\n]{8,1000}/gim],
  },
  {
    id: 'hidden-style',
    severity: 'medium',
    reason: 'a style that makes text invisible',
    patterns: [
      /(?:display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden|font-size\s{0,4}:\s{0,4}0|opacity\s{0,4}:\s{0,4}0(?![.\d])|color\s{0,4}:\s{0,4}(?:white|transparent|#fff))\b/gi,
    ],
  },
  {
    id: 'active-html',
    severity: 'medium',
    reason: 'HTML that loads or runs something when rendered',
    patterns: [
      /<(?:script|iframe|embed)\b[^<>]{0,200}=[^<>]{0,300}>/gi,
      /<(?:img|svg|body|a)\s[^<>]{0,200}\bon[a-z]{3,20}\s?=/gi,
      /javascript:[^\s)"']{4}|data:text\/html/gi,
    ],
  },
  {
    id: 'remote-image',
    severity: 'medium',
    reason: 'an image whose address sends data to its server when rendered',
    patterns: [
      /!\[[^\]\n]{0,200}\]\(https?:\/\/[^)\s?{$]{1,400}[?{$][^)\s]{0,400}\)/gi,
      /<img\s[^<>]{0,200}src\s?=\s?["']?https?:\/\/[^<>\s?{$]{1,400}[?{$]/gi,
    ],
  },
  {
    id: 'address-with-data',
    severity: 'high',
    reason: 'an address with a placeholder for private data',
    patterns: [
      /https?:\/\/[^\s"'`<>(){}[\]]{1,300}[/?=&#][{<[$%]{1,2}[\w. -]{0,40}(?:secret|passw|credential|api_?key|conversation|history|prompt|ssh|env|cookie|private|content|file_?data|user_?data|exfil)[\w. -]{0,40}[}>\]%]{1,2}/gi,
    ],
  },
  {
    id: 'capture-host',
    severity: 'medium',
    reason: 'an address of a request-capturing service',
    patterns: [
      /:\/\/[\w.-]{0,80}(?:webhook\.site|requestbin|pipedream\.net|ngrok|burpcollaborator|oastify|interact\.?sh|canarytokens|hookbin|beeceptor|requestcatcher|dnslog|ceye\.io|trycloudflare|localtunnel)/gi,
    ],
  },
  {
    id: 'hostile-address',
    severity: 'high',
    reason: 'an address whose name suggests an attacker',
    patterns: [
      /(?:https?:\/\/|@)[\w.-]{0,80}(?:attacker|evil|exfil|malicious|hacker|pwn|phish|malware)[\w.-]{0,80}/gi,
      /\b(?:attacker|hacker|exfil)[\w.+-]{0,40}@/gi,
    ],
  },
]
