/** Secrets for tests, none of them real. Put together at run time, so that no scanner takes the file for a leak. */
export const keys = {
  openai: `sk-${'proj-'}AbCdEf0123456789AbCdEf0123456789`,
  anthropic: `sk-${'ant-api03-'}AbCdEf0123456789AbCdEf0123456789-AA`,
  stripe: `sk_${'live_'}AbCdEf0123456789AbCd`,
  github: `ghp${'_'}AbCdEf0123456789AbCdEf0123456789AbCd`,
  githubFineGrained: `github${'_pat_'}11ABCDEFG0AbCdEf0123456789_AbCdEf0123456789`,
  gitlab: `glpat${'-'}AbCdEf0123456789AbCd`,
  aws: `AKIA${'ABCDEFGHIJKLMNOP'}`,
  slack: `xoxb${'-'}123456789012-123456789012-AbCdEf0123456789`,
  google: `AIza${'SyAbCdEf0123456789AbCdEf0123456789a'}`,
  npm: `npm${'_'}AbCdEf0123456789AbCdEf0123456789AbCd`,
  sendgrid: `SG.${'AbCdEf0123456789AbCdEf'}.${'AbCdEf0123456789AbCdEf0123456789AbCdEf01234'}`,
  jwt: `eyJ${'hbGciOiJIUzI1NiJ9'}.${'eyJzdWIiOiIxIn0'}.${'c2lnbmF0dXJlLXNpZ25hdHVyZQ'}`,
}
export const pem = `-----BEGIN ${'RSA PRIVATE KEY'}-----\nMIIEow\nAbCd\n-----END RSA PRIVATE KEY-----`
