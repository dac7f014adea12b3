/**
 * Some browsers report the language of the system unchanged, such as `en-US@posix`, which Intl rejects. The chart library
 * passes it to Intl while it loads and has no option for another language.
 */
export function toUsableLanguage(language: string): string {
  const tag = language.replace(/[@.].*$/, '').replaceAll('_', '-')
  return [language, tag].find(isLanguage) ?? 'en-US'
}

/** Call before loading a library that passes `navigator.language` to Intl. */
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
