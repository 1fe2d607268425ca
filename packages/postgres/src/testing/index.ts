export { openTestDatabase, type TestDatabaseOptions } from './open-test-database.ts'
