import type { TextFinding } from './scan-finding.ts'
import { type ScanRule, toFinding } from './scan-rule.ts'

export const FOREIGN_RULE: ScanRule = {
  id: 'foreign-orders',
  severity: 'high',
  reason: 'tells the model, in another language, to ignore instructions or to hide something from the user',
}

/**
 * Matches two orders that no description needs, in the most common languages of the web. The other rules contain only
 * English words, but models obey orders in any language. The pattern for each language has verb and object in that
 * language's order.
 */
const ORDERS: readonly RegExp[] = [
  // Orders to ignore instructions.
  /\b(?:ignor|olvid|desestim|omit)[aeo]\w{0,4}\s[^.!?\n]{0,40}\b(?:instrucci|regla|indicaci|[oó]rden)/iu,
  /\b(?:ignor|oubli|n[ée]glige)\w{1,4}\s[^.!?\n]{0,40}\b(?:instructions|consignes|r[èe]gles|directives)\s(?:pr[ée]c[ée]dentes|ant[ée]rieures|ci-dessus)/iu,
  /\b(?:ignorier|vergiss|missacht|vergessen)\w{0,4}\s[^.!?\n]{0,40}\b(?:anweisung|regel|vorgabe|instruktion)/iu,
  /\b(?:ignor|esque[cç]|desconsider)\w{1,4}\s[^.!?\n]{0,40}\b(?:instru[cç][oõ]es|regras|orienta[cç][oõ]es)/iu,
  /\b(?:ignora|dimentica|trascura)\w{0,3}\s[^.!?\n]{0,40}\b(?:istruzion|regole|indicazioni)/iu,
  /(?:игнорир|забуд|пренебрег)\p{L}{0,6}\s[^.!?\n]{0,40}(?:инструкц|указани|правил)/iu,
  /(?:忽略|无视|忘记|不要理会)[^。！？\n]{0,16}(?:指令|指示|提示|规则|说明)/u,
  /(?:指示|命令|ルール|指令)[^。！？\n]{0,8}(?:無視|忘れ)/u,
  /(?:지시|명령|규칙|지침)[^.!?\n]{0,10}(?:무시|잊)/u,
  /(?:تجاهل|انس)[^.!?\n]{0,30}(?:التعليمات|الأوامر|القواعد)/u,
  /(?:अनदेखा|नज़रअंदाज़|भूल)[^।!?\n]{0,20}(?:निर्देश)|(?:निर्देश)[^।!?\n]{0,30}(?:अनदेखा|नज़रअंदाज़|भूल)/u,
  // Orders to hide something from the user.
  /\bno\s(?:le\s|lo\s|se\slo\s)?(?:di|men|inform|avis|revel|cuent)\w{1,6}\s[^.!?\n]{0,30}\b(?:usuario|cliente)/iu,
  /\bne\s(?:le\s|la\s)?(?:dis|dites|mentionn|inform|r[ée]v[ée]l|pr[ée]ven)\w{0,6}\s(?:pas|rien|jamais)[^.!?\n]{0,30}\butilisateur/iu,
  /\b(?:sag|erw[äa]hn|informier|verrat|teil)\w{0,4}\s[^.!?\n]{0,30}\b(?:nutzer|benutzer|anwender|kunden)\w{0,3}\s[^.!?\n]{0,20}\b(?:nicht|nichts)\b/iu,
  /\bn[ãa]o\s(?:di|mencion|inform|revel|cont)\w{1,5}\s[^.!?\n]{0,30}\b(?:usu[áa]rio|cliente)/iu,
  /\bnon\s(?:di|menzion|inform|rivel|avvis)\w{1,5}\s[^.!?\n]{0,30}\b(?:utente|cliente)/iu,
  /не\s(?:говор|сообща|упомин|расскаж|раскрыв)\p{L}{0,6}\s[^.!?\n]{0,30}пользовател/iu,
  /(?:不要|不得|别|请勿)[^。！？\n]{0,6}(?:告诉|告知|提及|透露|通知)[^。！？\n]{0,8}(?:用户|客户)/u,
  /(?:ユーザー|利用者)に[^。！？\n]{0,16}(?:言わない|伝えない|知らせない|教えない|明かさない)/u,
  /사용자에게[^.!?\n]{0,16}(?:말하지|알리지|언급하지|공개하지)/u,
]

/** A text in plain letters without any object of these orders cannot match any pattern. */
const OBJECTS = new RegExp(
  [
    'instrucci|regla|indicaci|orden|consignes|directives|regel|anweisung|vorgabe|instruktion|instru[cç][oõ]es',
    'regras|orienta|istruzion|regole|indicazioni|usuario|cliente|utilisateur|nutzer|anwender|kunden|utente',
  ].join('|'),
  'i',
)
const FOREIGN_LETTER = /[^\P{L}\p{ASCII}]/u
const NOT_ASCII = /[^\0-\x7f]/

/** Finds orders to the model in languages other than English. */
export function findForeignOrders(text: string): readonly TextFinding[] {
  if (!OBJECTS.test(text) && !(NOT_ASCII.test(text) && FOREIGN_LETTER.test(text))) return []
  for (const pattern of ORDERS) {
    const match = pattern.exec(text)
    if (match === null) continue
    const end = match.index + match[0].length
    const rest = /^\p{L}{0,20}/u.exec(text.slice(end, end + 20))?.[0].length ?? 0
    return [toFinding(FOREIGN_RULE, [match.index, end + rest])]
  }
  return []
}
