const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * @example
 * escapeHtml('<b>') // => '&lt;b&gt;'
 */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, sign => ESCAPES[sign] ?? sign)
}
