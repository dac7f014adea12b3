/**
 * Some browsers take their language from the system as it is, `en-US@posix`, which is none to Intl. The chart's library
 * hands it on while it is being loaded, and cannot be told another.
 */
export function usableLanguage(language: string): string {
  const tag = language.replace(/[@.].*$/, '').replaceAll('_', '-')
  return [language, tag].find(isLanguage) ?? 'en-US'
}

/** Has to be called before such a library is loaded. */
export function mendLanguage(navigator: { readonly language: string }): void {
  const usable = usableLanguage(navigator.language)
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
