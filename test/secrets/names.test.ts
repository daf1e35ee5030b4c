import { expect, test } from 'vitest';
import { isSecretName } from '../../src/secrets/index.js';

const wordsOf = (list: string) => list.trim().split(/\s+/);

test.each(
  wordsOf(`
  password Password user_password dbPassword passwd pwd passphrase secret
  clientSecret token access_token accessToken X-Auth-Token api_key apiKey APIKey
  APIKEY apikey private-key secretKey AccessKey signing_key x-functions-app-key
  apiKeys Ocp-Apim-Subscription-Key credentials Authorization auth cookie jwt
  secret1 token2 access_tokens refreshTokens apiTokens bot-tokens passwordHash
  auth_code tokenValue PGPASSWORD DBPASSWORD GITHUBTOKEN clientsecret
  MYSQL_ROOTPASSWD npmtoken
  pass pw DB_PASS dbPass DBPass smtpPass user_pw mysqlpass passcode
  pass_code cvv CVV2 cvc card_number cardNumber cardnumber ssn
  social_security_number session_id sessionId sessionid PHPSESSID sid csrfTokens
  secret_id mnemonic walletMnemonic seed_phrase recoveryPhrase recovery_codes
  verificationCode otp totp one_time_code mfa_code 2faCode pin PIN cardPin
  security_pin XApiKey AWSSecretKey awsSecretAccessKey OAuthToken myToken
  jsonWebToken signature sig X-Amz-Signature x-hub-signature-256 creds
  spring.datasource.password oauth oauth2 authn proxyauth httpauth
`),
)('The name %s is that of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  '',
  ...wordsOf(`
  pagetoken nexttoken synctoken maxtokens passwordless
  query keyword keywords maxTokens max_tokens tokenizer author monkey
  passenger secretary compass key keys issueKey projectKey project_key
  primaryKey publicKey ssh-public-key cacheKey keyCount toolKeys pageToken
  next_page_token continuation-token syncToken tokenCount token_limit totalTokens
  tokens passwordLength password_policy tokenType authMethod auth_url secretName
  apiKeyName cookiePolicy tokenEndpoint pinColor fromToken toToken tokenIn
  token_out inputToken baseToken payToken tokenA tokenPair nextToken skiptoken
  cursorToken prevToken deltaToken progressToken padToken designTokens tokenId
  credentialId access_key_id apiKeyEnv passwordSelector auth_plugin secretArn
  method_signature functionSignature emailSignature pinCode pincode pinData
  pin_message boardingPass passThrough pass_rate bypass two_pass postal_code code
  id userId sshKey sortKey foreign_keys phoneNumber searchPhrase spin valid
  session sessions
`),
])('The name %s is not that of a secret', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test('A long name of a secret is recognised by its end', () => {
  expect(isSecretName(`${'a_'.repeat(200)}password`)).toBe(true);
  expect(isSecretName(`${'token_'.repeat(100_000)}count`)).toBe(false);
});
