import type { ServiceDomain } from '../authoring/service-domains.ts'
import { listWords } from './word-list.ts'

/** Words that indicate each kind of service. A word can be listed for several kinds. */
export interface DomainRule {
  readonly id: string
  readonly domain: ServiceDomain
  readonly words: readonly string[]
}

function rule(domain: ServiceDomain, words: string): DomainRule {
  return { id: `domain.${domain.replaceAll('_', '-')}`, domain, words: listWords(words) }
}

export const DOMAIN_RULES: readonly DomainRule[] = [
  rule(
    'project_management',
    'issue issues task tasks sprint sprints milestone milestones backlog epic epics kanban board boards todo todos subtask story stories workitem',
  ),
  rule('crm', 'crm deal deals lead leads opportunity opportunities prospect'),
  rule('email', 'email emails mail mailbox inbox smtp imap newsletter mails bcc'),
  rule(
    'calendar',
    'calendar calendars appointment appointments meeting meetings availability reschedule attendee attendees',
  ),
  rule('messaging', 'message messages chat chats channel channels dm sms thread threads conversation'),
  rule('documents', 'document documents doc docs pdf docx wiki page pages paragraph markdown notebook notes'),
  rule('cloud_storage', 'drive bucket buckets blob blobs storage folder folders upload download'),
  rule('spreadsheets', 'spreadsheet spreadsheets sheet sheets cell cells worksheet workbook xlsx csv'),
  rule('presentations', 'presentation presentations slide slides deck decks pptx'),
  rule('design', 'design designs canvas frame frames artboard mockup prototype typography wireframe'),
  rule(
    'source_code',
    'repository repositories repo repos commit commits branch branches pull merge git codebase pr prs',
  ),
  rule(
    'payments',
    'payment payments invoice invoices refund refunds charge subscription subscriptions payout checkout billing',
  ),
  rule('social_media', 'tweet tweets follower followers hashtag retweet feed timeline influencer'),
  rule('video_hosting', 'video videos livestream playback subtitle subtitles transcode captions'),
  rule('music_streaming', 'song songs playlist playlists album albums artist artists music podcast'),
  rule('customer_support', 'ticket tickets helpdesk csat'),
  rule('ecommerce', 'product products cart order orders sku shop storefront shipping catalog discount'),
  rule('incident_management', 'incident incidents oncall escalation postmortem pager outage severity'),
  rule('web_scraping', 'scrape crawl crawler website websites sitemap webpage html'),
  rule('code_sandbox', 'sandbox interpreter repl kernel'),
  rule('video_conferencing', 'conference webinar webinars recording participants videocall'),
  rule(
    'geospatial',
    'map maps geocode latitude longitude route directions elevation geofence coordinates place places',
  ),
  rule(
    'financial_data',
    'stock stocks ticker market crypto forex price prices portfolio earnings coin coins',
  ),
  rule('travel', 'flight flights hotel hotels booking itinerary airport trip trips'),
  rule('contacts', 'contact contacts addressbook phonebook'),
  rule('product_analytics', 'funnel funnels cohort cohorts experiment experiments retention pageview'),
  rule(
    'observability',
    'log logs metric metrics trace traces span spans alert alerts dashboard dashboards monitor latency',
  ),
  rule('sales_intelligence', 'firmographic prospecting enrichment technographic'),
  rule('survey', 'survey surveys questionnaire poll polls respondent'),
  rule('business_intelligence', 'bi kpi kpis warehouse dataset datasets pivot'),
]
