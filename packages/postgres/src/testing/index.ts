export { openPackDatabase } from './open-pack-database.ts'
export { openTestDatabase, type TestDatabase, type TestDatabaseOptions } from './open-test-database.ts'
export { startTestPostgres, type TestPostgres } from './start-test-postgres.ts'
