CREATE SCHEMA "notes";
--> statement-breakpoint
CREATE TABLE "notes"."notes" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	CONSTRAINT "notes_pk" PRIMARY KEY("tenant_id","id")
);
