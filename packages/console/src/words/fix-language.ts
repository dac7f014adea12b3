/**
 * Returns a language that Intl accepts. Some browsers report the system's language unchanged, such as `en-US@posix`,
 * which Intl rejects. The chart library passes that language to Intl while it loads, and has no option for another one.
 */
export function toUsableLanguage(language: string): string {
  const tag = language.replace(/[@.].*$/, '').replaceAll('_', '-')
  return [language, tag].find(isLanguage) ?? 'en-US'
}

/** Corrects `navigator.language`. Must be called before a library is loaded that passes it to Intl. */
export function fixLanguage(navigator: { readonly language: string }): void {
  const usable = toUsableLanguage(navigator.language)
  if (usable !== navigator.language)
    Object.defineProperty(navigator, 'language', { value: usable, configurable: true })
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
