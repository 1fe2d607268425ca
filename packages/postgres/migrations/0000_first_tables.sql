CREATE SCHEMA "handrail";
--> statement-breakpoint
CREATE TABLE "handrail"."approvals" (
	"tenant_id" text NOT NULL,
	"approval_id" text NOT NULL,
	"call_id" text NOT NULL,
	"run_id" text,
	"thread_id" text,
	"pack" text NOT NULL,
	"tool_name" text NOT NULL,
	"tool_version" integer NOT NULL,
	"digest" text NOT NULL,
	"scope" json NOT NULL,
	"requested_by" json NOT NULL,
	"approvers" json NOT NULL,
	"form" text NOT NULL,
	"reason" text NOT NULL,
	"description" text NOT NULL,
	"preview" json,
	"basis" text,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decide_by" timestamp (3) with time zone NOT NULL,
	"execute_by" timestamp (3) with time zone,
	"decision" json,
	"open" boolean NOT NULL,
	CONSTRAINT "approvals_tenant_id_approval_id_pk" PRIMARY KEY("tenant_id","approval_id")
);
--> statement-breakpoint
CREATE TABLE "handrail"."call_payloads" (
	"tenant_id" text NOT NULL,
	"call_id" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"salt" text NOT NULL,
	"input" json,
	"api_call" json NOT NULL,
	"result" json,
	CONSTRAINT "call_payloads_tenant_id_call_id_pk" PRIMARY KEY("tenant_id","call_id")
);
--> statement-breakpoint
CREATE TABLE "handrail"."calls" (
	"tenant_id" text NOT NULL,
	"call_id" text NOT NULL,
	"pack" text NOT NULL,
	"tool_name" text NOT NULL,
	"tool_version" integer NOT NULL,
	"kind" text NOT NULL,
	"effect" text,
	"risk" text NOT NULL,
	"idempotent" boolean NOT NULL,
	"door" text NOT NULL,
	"user_id" text NOT NULL,
	"principal" json NOT NULL,
	"scope" json NOT NULL,
	"thread_id" text,
	"run_id" text,
	"step" integer,
	"idempotency_key" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"executed_at" timestamp (3) with time zone,
	"status" text NOT NULL,
	"description" text NOT NULL,
	"code" text,
	"approval_id" text,
	"attempt" integer NOT NULL,
	"attempt_until" timestamp (3) with time zone,
	"claim_token" text,
	"ended_at" timestamp (3) with time zone,
	"settled" boolean DEFAULT false NOT NULL,
	"duration_ms" double precision,
	"cached" boolean NOT NULL,
	"truncated" boolean NOT NULL,
	CONSTRAINT "calls_tenant_id_call_id_pk" PRIMARY KEY("tenant_id","call_id")
);
--> statement-breakpoint
CREATE TABLE "handrail"."quotas" (
	"tenant_id" text NOT NULL,
	"key" text NOT NULL,
	"window_start" timestamp (3) with time zone NOT NULL,
	"used" integer NOT NULL,
	"allowed" integer NOT NULL,
	CONSTRAINT "quotas_tenant_id_key_window_start_pk" PRIMARY KEY("tenant_id","key","window_start")
);
--> statement-breakpoint
CREATE TABLE "handrail"."ledger_entries" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "handrail"."ledger_entries_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" text NOT NULL,
	"entry_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"event" text NOT NULL,
	"call_id" text NOT NULL,
	"pack" text NOT NULL,
	"tool_name" text NOT NULL,
	"status" text NOT NULL,
	"user_id" text NOT NULL,
	"actor" text NOT NULL,
	"door" text NOT NULL,
	"run_id" text,
	"approval_id" text,
	"input_digest" "bytea" NOT NULL,
	"result_digest" "bytea"
);
--> statement-breakpoint
CREATE TABLE "handrail"."seals" (
	"tenant_id" text NOT NULL,
	"seq" integer NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	"root" text NOT NULL,
	"previous" text,
	"signature" text NOT NULL,
	"members" json NOT NULL,
	"last_member" bigint NOT NULL,
	"stored_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "seals_tenant_id_seq_pk" PRIMARY KEY("tenant_id","seq")
);
--> statement-breakpoint
CREATE TABLE "handrail"."messages" (
	"tenant_id" text NOT NULL,
	"thread_id" text NOT NULL,
	"message_id" text NOT NULL,
	"position" integer NOT NULL,
	"role" text NOT NULL,
	"parts" json NOT NULL,
	"run_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "messages_tenant_id_thread_id_message_id_pk" PRIMARY KEY("tenant_id","thread_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "handrail"."queued_messages" (
	"tenant_id" text NOT NULL,
	"thread_id" text NOT NULL,
	"message_id" text NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "handrail"."queued_messages_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"parts" json NOT NULL,
	CONSTRAINT "queued_messages_tenant_id_thread_id_message_id_pk" PRIMARY KEY("tenant_id","thread_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "handrail"."runs" (
	"tenant_id" text NOT NULL,
	"run_id" text NOT NULL,
	"thread_id" text NOT NULL,
	"user_id" text NOT NULL,
	"principal" json NOT NULL,
	"pack" text NOT NULL,
	"scope" json NOT NULL,
	"mode" text NOT NULL,
	"status" text NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"active_ms" double precision DEFAULT 0 NOT NULL,
	"input_tokens" integer DEFAULT 0 NOT NULL,
	"output_tokens" integer DEFAULT 0 NOT NULL,
	"cancel_requested" boolean DEFAULT false NOT NULL,
	"finish_reason" text,
	"error" text,
	"lease_owner" text,
	"lease_token" text,
	"lease_until" timestamp (3) with time zone,
	"wake_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "runs_tenant_id_run_id_pk" PRIMARY KEY("tenant_id","run_id")
);
--> statement-breakpoint
CREATE TABLE "handrail"."steps" (
	"tenant_id" text NOT NULL,
	"run_id" text NOT NULL,
	"step" integer NOT NULL,
	"thread_id" text NOT NULL,
	"position" integer NOT NULL,
	"messages" json NOT NULL,
	"calls" json NOT NULL,
	"model" text NOT NULL,
	"finish_reason" text NOT NULL,
	"input_tokens" integer NOT NULL,
	"output_tokens" integer NOT NULL,
	"duration_ms" double precision NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "steps_tenant_id_run_id_step_pk" PRIMARY KEY("tenant_id","run_id","step")
);
--> statement-breakpoint
CREATE TABLE "handrail"."threads" (
	"tenant_id" text NOT NULL,
	"thread_id" text NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "handrail"."threads_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"pack" text NOT NULL,
	"scope" json NOT NULL,
	"title" text NOT NULL,
	"untrusted" boolean DEFAULT false NOT NULL,
	"last_position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "threads_tenant_id_thread_id_pk" PRIMARY KEY("tenant_id","thread_id")
);
--> statement-breakpoint
CREATE INDEX "approvals_of_call" ON "handrail"."approvals" USING btree ("call_id");--> statement-breakpoint
CREATE INDEX "approvals_open" ON "handrail"."approvals" USING btree ("approval_id") WHERE "handrail"."approvals"."open";--> statement-breakpoint
CREATE INDEX "calls_of_thread" ON "handrail"."calls" USING btree ("thread_id") WHERE "handrail"."calls"."thread_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "calls_one_per_key" ON "handrail"."calls" USING btree ("idempotency_key","tenant_id","user_id","pack","tool_name") WHERE "handrail"."calls"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "calls_unfinished" ON "handrail"."calls" USING btree ("attempt_until") WHERE "handrail"."calls"."status" in ('running', 'unknown');--> statement-breakpoint
CREATE INDEX "seals_recent" ON "handrail"."seals" USING btree ("stored_at");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_one_live_per_thread" ON "handrail"."runs" USING btree ("thread_id","tenant_id") WHERE "handrail"."runs"."status" in ('running', 'waiting');--> statement-breakpoint
CREATE INDEX "runs_live" ON "handrail"."runs" USING btree ("created_at") WHERE "handrail"."runs"."status" in ('running', 'waiting');--> statement-breakpoint
CREATE INDEX "steps_of_thread" ON "handrail"."steps" USING btree ("thread_id","position");--> statement-breakpoint
CREATE INDEX "threads_of_user" ON "handrail"."threads" USING btree ("user_id","tenant_id","seq");