CREATE SCHEMA "chaos";
--> statement-breakpoint
CREATE TABLE "chaos"."entries" (
	"tenant_id" text NOT NULL,
	"call_id" text NOT NULL,
	"note" text NOT NULL,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
