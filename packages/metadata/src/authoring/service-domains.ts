/** The kinds of service that a tool can use. A domain classifies the service; tags classify the individual tool. */
export const SERVICE_DOMAINS = [
  'project_management',
  'crm',
  'email',
  'calendar',
  'messaging',
  'documents',
  'cloud_storage',
  'spreadsheets',
  'presentations',
  'design',
  'source_code',
  'payments',
  'social_media',
  'video_hosting',
  'music_streaming',
  'customer_support',
  'ecommerce',
  'incident_management',
  'web_scraping',
  'code_sandbox',
  'video_conferencing',
  'geospatial',
  'financial_data',
  'travel',
  'contacts',
  'product_analytics',
  'observability',
  'sales_intelligence',
  'survey',
  'business_intelligence',
] as const

export type ServiceDomain = (typeof SERVICE_DOMAINS)[number]

export function isServiceDomain(value: unknown): value is ServiceDomain {
  return SERVICE_DOMAINS.includes(value as ServiceDomain)
}
