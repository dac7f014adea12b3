/**
 * Shell commands that download and run something, open a connection, or destroy something. In prose they are
 * documentation; in a default value or an encoded text they are an attack.
 */
const COMMANDS: readonly RegExp[] = [
  /\b(?:curl|wget|fetch)\s[^|\n]{1,200}\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z|da|k)?sh\b/i,
  /\b(?:curl|wget|nc|ncat|telnet|socat)\s[^\n]{0,80}(?:https?:\/\/|\d{1,3}(?:\.\d{1,3}){3})/i,
  /\brm\s{1,4}-[a-z]{0,6}[rf][a-z]{0,6}\s/i,
  /\bchmod\s{1,4}(?:-[a-z]{1,4}\s{1,4})?(?:[ugoa]{0,4}\+[rwxs]{1,4}|[0-7]{3,4})\s/i,
  /\/bin\/(?:ba|z|da)?sh\b/,
  /\/dev\/(?:tcp|udp)\//,
  /\b(?:nc|ncat)\s[^\n]{0,40}-[a-z]{0,4}e\b/,
  /\b(?:powershell|pwsh)(?:\.exe)?\s[^\n]{0,80}-(?:e|enc|encodedcommand|nop|w)\b/i,
  /\b(?:invoke-expression|iex|downloadstring|invoke-webrequest)\b/i,
  /\b(?:python[23]?|perl|ruby|node|php|bash|sh)\s{1,4}-[ceri]\s/i,
  /\bbase64\s{1,4}(?:-d|--decode)\b/i,
  /\b(?:eval|exec|system|popen)\(/,
  /\bmkfifo\b|\bcrontab\s{1,4}-|\bdd\s{1,4}if=|\bmkfs\b|\bnohup\s/,
  /\bcat\s{1,4}(?:~|\/etc\/|\.env)/,
  /;\s{0,4}(?:rm|curl|wget|cat|nc|bash|sh|chmod)\s/,
  /\bimport\s{1,4}(?:os|subprocess|socket)\b|__import__\s?\(/,
  /\b(?:os\.(?:system|popen)|subprocess\.|child_process|require\s?\(\s?['"](?:fs|child_process|net)['"])/,
]

/** Finds the first shell command in a text, and returns its offsets. */
export function findCommand(text: string): readonly [start: number, end: number] | undefined {
  for (const pattern of COMMANDS) {
    const match = pattern.exec(text)
    if (match !== null) return [match.index, match.index + match[0].length]
  }
  return undefined
}
