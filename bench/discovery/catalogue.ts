/** A tool as a server lists it. */
export interface WireTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** Services as companies connect them, each with what it holds. */
const services: Readonly<Record<string, readonly string[]>> = {
  github: ['issue', 'pull_request', 'branch', 'release', 'workflow_run', 'repository', 'commit', 'label'],
  gitlab: ['merge_request', 'pipeline', 'epic', 'milestone', 'snippet', 'runner', 'wiki_page', 'environment'],
  jira: ['ticket', 'sprint', 'board', 'worklog', 'component', 'version', 'filter', 'project'],
  slack: ['message', 'channel', 'reaction', 'reminder', 'file', 'user_group', 'bookmark', 'canvas'],
  gmail: ['email', 'draft', 'thread', 'mail_filter', 'signature', 'attachment', 'alias', 'mail_label'],
  calendar: ['event', 'invitation', 'availability', 'calendar', 'room', 'attendee', 'recurrence', 'time_zone'],
  drive: ['document', 'folder', 'permission', 'comment', 'revision', 'shortcut', 'shared_drive', 'export'],
  notion: ['page', 'database', 'block', 'view', 'template', 'mention', 'property', 'workspace'],
  salesforce: ['lead', 'opportunity', 'account', 'contact', 'campaign', 'quote', 'case', 'contract'],
  hubspot: ['deal', 'company', 'form', 'landing_page', 'sequence', 'newsletter', 'meeting_link', 'segment'],
  stripe: ['payment', 'refund', 'subscription', 'invoice', 'customer', 'coupon', 'payout', 'dispute'],
  shopify: ['order', 'product', 'inventory_level', 'discount', 'fulfillment', 'collection', 'gift_card', 'storefront'],
  aws: ['bucket', 'instance', 'lambda_function', 'queue', 'alarm', 'role', 'secret', 'snapshot'],
  kubernetes: ['pod', 'deployment', 'service', 'config_map', 'ingress', 'node', 'job', 'namespace'],
  postgres: ['table', 'row', 'index', 'schema', 'query_plan', 'backup', 'extension', 'trigger'],
  datadog: ['monitor', 'dashboard', 'metric', 'log', 'incident', 'trace', 'downtime', 'synthetic_test'],
  sentry: ['error_group', 'alert_rule', 'project_key', 'replay', 'source_map', 'team', 'integration', 'breadcrumb'],
  zendesk: ['support_request', 'macro', 'article', 'satisfaction_rating', 'agent', 'organization', 'sla_policy', 'tag'],
  figma: ['frame', 'style', 'prototype', 'plugin', 'design_file', 'variable', 'asset', 'review'],
  zoom: ['meeting', 'webinar', 'recording', 'participant', 'poll', 'transcript', 'whiteboard', 'phone_call'],
  dropbox: ['upload', 'shared_link', 'file_request', 'paper', 'device', 'member', 'archive', 'sync_status'],
  mailchimp: ['audience', 'mailing', 'automation', 'subscriber', 'report', 'survey', 'tag_rule', 'merge_field'],
  airtable: ['record', 'base', 'table_view', 'field', 'interface', 'sync', 'webhook', 'share'],
  twilio: ['text_message', 'phone_number', 'call', 'verification', 'voicemail', 'conference', 'studio_flow', 'sender'],
  weather: ['forecast', 'observation', 'warning', 'station', 'radar_image', 'climate_average', 'tide', 'air_quality'],
};

const verbs: Readonly<Record<string, (what: string, service: string) => string>> = {
  create: (what, service) => `Create a new ${what} in ${service}.`,
  list: (what, service) => `List ${what}s in ${service}, newest first, with filters and pages.`,
  get: (what, service) => `Get one ${what} of ${service} by its ID, with all of its details.`,
  update: (what, service) => `Change fields of an existing ${what} in ${service}. Fields that are left out stay.`,
  delete: (what, service) => `Delete a ${what} from ${service} for good. This cannot be undone.`,
};

function toolsOf(service: string, resource: string): WireTool[] {
  const what = resource.replaceAll('_', ' ');
  return Object.entries(verbs).map(([verb, describe]) => ({
    name: `${service}_${verb}_${resource}${verb === 'list' ? 's' : ''}`,
    description: describe(what, service),
    inputSchema: {
      type: 'object',
      properties: {
        ...(verb === 'list'
          ? listProperties
          : { [`${resource}_id`]: { type: 'string', description: `ID of the ${what}.` } }),
        ...(verb === 'create' || verb === 'update' ? writeProperties(what) : {}),
        workspace: { type: 'string', description: `Workspace of ${service}; the default one if it is left out.` },
      },
      required: verb === 'list' ? [] : verb === 'create' ? ['title'] : [`${resource}_id`],
    },
  }));
}

const listProperties = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many to return.' },
  cursor: { type: 'string', description: 'Where the last page ended.' },
  status: { type: 'string', enum: ['open', 'closed', 'all'], default: 'open' },
};

function writeProperties(what: string): object {
  return {
    title: { type: 'string', minLength: 1, description: `Title of the ${what}.` },
    body: { type: ['string', 'null'], description: `Text of the ${what}, in Markdown.` },
    priority: { type: 'integer', minimum: 1, maximum: 5 },
    tags: { type: 'array', items: { type: 'string' }, description: 'Tags to set.' },
  };
}

const all = Object.entries(services).flatMap(([service, resources]) =>
  resources.flatMap((each) => toolsOf(service, each)),
);

/** A user's request, the words that a model would search with, and the right tool. */
export interface Task {
  readonly query: string;
  readonly tool: string;
}

/** Written by hand, in a user's words, which often differ from the tool's. */
export const tasks: readonly Task[] = [
  { query: 'open a bug report on GitHub', tool: 'github_create_issue' },
  { query: 'which pull requests are waiting', tool: 'github_list_pull_requests' },
  { query: 'remove old git branch', tool: 'github_delete_branch' },
  { query: 'failed CI runs workflow', tool: 'github_list_workflow_runs' },
  { query: 'gitlab pipelines', tool: 'gitlab_list_pipelines' },
  { query: 'start a new jira sprint', tool: 'jira_create_sprint' },
  { query: 'log work time jira', tool: 'jira_create_worklog' },
  { query: 'post message to slack', tool: 'slack_create_message' },
  { query: 'slack reminder', tool: 'slack_create_reminder' },
  { query: 'read an e-mail', tool: 'gmail_get_email' },
  { query: 'draft mail', tool: 'gmail_create_draft' },
  { query: 'schedule calendar event', tool: 'calendar_create_event' },
  { query: 'free meeting rooms', tool: 'calendar_list_rooms' },
  { query: 'share document permission drive', tool: 'drive_create_permission' },
  { query: 'notion page update', tool: 'notion_update_page' },
  { query: 'new sales lead', tool: 'salesforce_create_lead' },
  { query: 'change stage of opportunity', tool: 'salesforce_update_opportunity' },
  { query: 'refund a payment', tool: 'stripe_create_refund' },
  { query: 'cancel subscription delete', tool: 'stripe_delete_subscription' },
  { query: 'invoices of customer', tool: 'stripe_list_invoices' },
  { query: 'shop orders', tool: 'shopify_list_orders' },
  { query: 'inventory stock level', tool: 'shopify_update_inventory_level' },
  { query: 'restart deployment kubernetes', tool: 'kubernetes_update_deployment' },
  { query: 'pods running', tool: 'kubernetes_list_pods' },
  { query: 'S3 bucket create aws', tool: 'aws_create_bucket' },
  { query: 'mute datadog monitor downtime', tool: 'datadog_create_downtime' },
  { query: 'incident details', tool: 'datadog_get_incident' },
  { query: 'zoom recording get', tool: 'zoom_get_recording' },
  { query: 'send SMS text', tool: 'twilio_create_text_message' },
  { query: 'wether forcast', tool: 'weather_get_forecast' },
];

/** This many tools, including those of the tasks. */
export function catalogueOf(count: number): WireTool[] {
  const needed = new Set(tasks.map(({ tool }) => tool));
  const rest = all.filter(({ name }) => !needed.has(name));
  // Spread over all services, and always the same.
  const step = rest.length / (count - needed.size);
  const others = new Set(
    Array.from({ length: count - needed.size }, (_, index) => rest[Math.floor(index * step)]?.name),
  );
  return all.filter(({ name }) => needed.has(name) || others.has(name));
}

/** Arguments as a model writes them, with the slip that is most frequent: a number as a string. */
export function argumentsFor(tool: string): Record<string, unknown> {
  const [, verb, ...words] = tool.split('_');
  if (verb === 'list') return { limit: '5' };
  const id = { [`${words.join('_')}_id`]: 'a1' };
  if (verb === 'create') return { title: 'A title', priority: '2' };
  return verb === 'update' ? { ...id, title: 'Another title', priority: '2' } : id;
}
