/**
 * Services, each with the beginning of its tokens and their least length. Other tokens are recognised by their names.
 */
const table = String.raw`
  GitHub gh[a-z]_\w{20,}|github_pat_\w{16,}  GitLab gl(?:pat|ptt|dt|rt|cbt|ft|agent|soat|imt|ffct|oas)-[\w.-]{16,}
  Slack xox[a-z](?:\.xox[a-z])?-[\w-]{16,}|xapp-\d-[\w-]{16,}|hooks\.slack\.com/[a-z]+/[\w/]{16,}
  AWS (?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}|ABSK[\w+/]{40,}={0,2}
  Google AIza[\w-]{30,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}|1//0[\w-]{20,}  Azure \w{3}\dQ~[\w.~-]{31,34}
  OpenAI,Anthropic,Stripe,Mapbox,Cerebras [cs]?[sr]k[-_](?=[\w-]*\d)[\w-]{16,}|sk\.eyJ[\w-]{8,}\.[\w-]+|whsec_[\w+/=-]{16,}
  Groq gsk_\w{20,}  xAI xai-\w{20,}  Perplexity pplx-\w{20,}  Replicate r8_\w{20,}  NVIDIA nvapi-[\w-]{20,}
  HuggingFace (?:hf|api_org)_[A-Za-z0-9]{20,}  Tavily tvly-[\w-]{16,}  Pinecone pcsk_\w{20,}  LangSmith lsv2_\w{20,}
  Jina jina_\w{20,}  Apify apify_api_\w{20,}  E2B e2b_\w{20,}  n8n n8n_api_[\w.-]{20,}  Telegram \d{8,10}:AA[\w-]{32,}
  Discord [MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}|discord(?:app)?\.com/api/webhooks/[\w/-]{20,}
  HashiCorp hv[sbr]\.[\w-]{20,}|\w{14}\.atlasv1\.[\w=-]{20,}  Shopify shp(?:at|ca|pa|ss|ua|tka)_\w{16,}
  DigitalOcean do[opr]_v1_\w{16,}  Atlassian AT(?:ATT|CTT|BB|SS)[\w=-]{16,}  Notion ntn_\w{20,}|secret_[A-Za-z0-9]{40,}
  Linear lin_(?:api|oauth|wh)_\w{16,}  SendGrid SG\.[\w-]{16,}\.[\w-]{16,}  Brevo x(?:keysib|smtpsib)-[\w-]{20,}
  Mailgun,Mailchimp key-[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2}  Resend re_[A-Za-z0-9]{8,}_\w{16,}  Twilio SK[0-9a-f]{32}
  npm,PyPI,RubyGems npm_\w{30,}|pypi-\w[\w-]{16,}|rubygems_\w{20,}  Docker dckr_[po]at_[\w-]{16,}
  Databricks dapi[0-9a-f]{32}  PlanetScale pscale_(?:tkn|pw|oauth)_[\w.=-]{16,}
  Supabase sbp_\w{20,}|sb_secret_[\w-]{16,}  Neon napi_\w{20,}  Postman PMAK-[\w-]{20,}  NewRelic NR(?:AK|II)-[\w-]{20,}
  Grafana gl(?:sa|c)_[\w+/=-]{20,}|eyJrIjoi\w{20,}  Sentry sntry[su]_[\w+/=-]{20,}
  Doppler dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{16,}  1Password ops_eyJ[\w+/=-]{16,}
  Dynatrace dt0[cs]\d\d\.\w{20,}\.\w{20,}  Fly f(?:m1[ar]|m2|o1)_[\w+/=-]{20,}  Heroku HRKU-[\w-]{20,}
  Netlify nfp_\w{20,}  Render rnd_\w{20,}  Pulumi pul-[0-9a-f]{32,}  Airtable pat\w{14}\.[0-9a-f]{32,}
  HubSpot pat-(?:na|eu)\d-[\w-]{20,}  Figma fig[a-z]{1,2}_[\w-]{20,}  Typeform tfp_\w{20,}  Contentful CFPAT-[\w-]{20,}
  Square sq0(?:atp|csp|idp)-[\w-]{16,}  Meta EAA[A-Za-z0-9]{60,}
  Plaid access-(?:sandbox|development|production)-[0-9a-f-]{36}  Razorpay rzp_live_\w{10,}
  Flutterwave FLWSECK\w*-[\w-]{12,}  Shippo shippo_(?:live|test)_\w{20,}  Duffel duffel_(?:test|live)_[\w=-]{20,}
  EasyPost EZ[AT]K\w{40,}  Sourcegraph sgp_\w{20,}  Buildkite bkua_\w{20,}  CircleCI CCIPAT_\w{20,}  JFrog AKCp\w{40,}
  Alibaba LTAI[A-Za-z0-9]{16,}  LaunchDarkly sdk-[0-9a-f]{8}-[0-9a-f-]{27}  age AGE-SECRET-KEY-1\w{40,}
  OpenShift sha256~[\w-]{40,}  JWT eyJ[\w-]{8,}\.[\w-]+\.[\w-]*
`;
const tokens = Array.from(table.matchAll(/\S+ (\S+)/g), ([, token]) => token).join('|');

export const startsAsToken = new RegExp(String.raw`^(?:${tokens}|-----BEGIN [A-Z ]*PRIVATE KEY|[Bb]earer \S{8})`);

/** Matches a token anywhere in a text, unless a letter or digit precedes it; the end of an escape (`\n`, `%3D`) may. */
export const tokenInText = new RegExp(String.raw`(?<![\w-](?<!\\[nrt]|%[0-9A-F]{2}))(?:${tokens})`, 'g');
