// Made by `npm run client:types` from the description of the API; not to be edited.
export interface paths {
    "/api/server_metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The figures of /metrics, for admins of the operator's organization and keys with this right */
        get: operations["getServerMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is up */
        get: operations["getHealthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether it can serve: the database answers, and it is not being stopped */
        get: operations["getReadyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Figures for Prometheus */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show whose session this is */
        get: operations["getLogin"];
        put?: never;
        /** Sign in */
        post: operations["postLogin"];
        /** Sign out */
        delete: operations["deleteLogin"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth_login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a code for a client that takes passwords itself */
        post: operations["postOauthLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth_access_token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeem a code, or refresh a token */
        post: operations["postOauthAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth_revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a token (RFC 7009) */
        post: operations["postOauthRevoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth_introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask whether a token holds (RFC 7662) */
        post: operations["postOauthIntrospect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The addresses and abilities of the authorization service (RFC 8414) */
        get: operations["getWellKnownOauthAuthorizationServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Upload samples from where only a GET can be sent
         * @description Every other parameter is the ID of a stream with its values. Answered after the commit. What is missing is made: the component, its streams.
         */
        get: operations["getFeed"];
        /**
         * Upload samples, in the URL or as JSON
         * @description Every other parameter is the ID of a stream with its values. Answered after the commit. What is missing is made: the component, its streams.
         */
        put: operations["putFeed"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the samples of a component, latest first */
        get: operations["getCompByCompIdFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/stream/{streamId}/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the samples of a stream, latest first */
        get: operations["getCompByCompIdStreamByStreamIdFeed"];
        put?: never;
        post?: never;
        /** Delete samples of a stream */
        delete: operations["deleteCompByCompIdStreamByStreamIdFeed"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/stream/{streamId}/chart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a stream for a chart: its samples where they are few, else mean, least and most of intervals */
        get: operations["getCompByCompIdStreamByStreamIdChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/last_value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the last value of every stream */
        get: operations["getCompByCompIdLastValue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/stream/{streamId}/last_value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the last value of a stream */
        get: operations["getCompByCompIdStreamByStreamIdLastValue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/cycle/{cycleId}/stat/{statId}/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a statistic of every stream by the intervals of a cycle */
        get: operations["getCompByCompIdCycleByCycleIdStatByStatIdFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/stream/{streamId}/cycle/{cycleId}/stat/{statId}/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a statistic by the intervals of a cycle, such as the average of each hour */
        get: operations["getCompByCompIdStreamByStreamIdCycleByCycleIdStatByStatIdFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/cycle/{cycleId}/stat/{statId}/last_value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a statistic of every stream for the latest interval */
        get: operations["getCompByCompIdCycleByCycleIdStatByStatIdLastValue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/stream/{streamId}/cycle/{cycleId}/stat/{statId}/last_value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a statistic for the latest interval */
        get: operations["getCompByCompIdStreamByStreamIdCycleByCycleIdStatByStatIdLastValue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/stream/{streamId}/feed/file/{fileName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the newest file of a name */
        get: operations["getCompByCompIdStreamByStreamIdFeedFileByFileName"];
        /**
         * Store a file
         * @description The file is the body, or the field file of a form.
         */
        put: operations["putCompByCompIdStreamByStreamIdFeedFileByFileName"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/stream/{streamId}/feed/file/{time}/{fileName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the file of a time */
        get: operations["getCompByCompIdStreamByStreamIdFeedFileByTimeByFileName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conn_sink/{org}/{endpoint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Push data to a connector
         * @description The connector's script reads the query as @HTTP_QUERY_STRING.
         */
        get: operations["getConnSinkByOrgByEndpoint"];
        /**
         * Push data to a connector
         * @description The body is of any kind: the connector's script reads it as @HTTP_BODY.
         */
        put: operations["putConnSinkByOrgByEndpoint"];
        /**
         * Push data to a connector
         * @description The body is of any kind: the connector's script reads it as @HTTP_BODY.
         */
        post: operations["postConnSinkByOrgByEndpoint"];
        /**
         * Push data to a connector
         * @description The connector's script reads the query as @HTTP_QUERY_STRING.
         */
        delete: operations["deleteConnSinkByOrgByEndpoint"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Run a GS SQL script that reads
         * @description Accept: text/csv gives the rows as CSV. An API key with the capability gql GET sees the components whose feeds it may read.
         */
        get: operations["getGql"];
        put?: never;
        /**
         * Run a GS SQL script
         * @description As JSON or as a form. Accept: text/csv gives the rows as CSV. With reads it is as GET is, for scripts that are too long for an address.
         */
        post: operations["postGql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connector/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try a script: the samples that it would write, and nothing is stored */
        post: operations["postConnectorTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connector/{uid}/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the last calls of a connector, with their errors */
        get: operations["getConnectorByUidCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export samples, statistics or the catalogue, however many
         * @description Of the organization, a folder with all below it, or single components and streams: of all that the caller may read. The reply is a stream without a length; one that is cut off is not whole.
         */
        get: operations["getExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your imports of history, latest first */
        get: operations["getImport"];
        put?: never;
        /**
         * Import history, as CSV or NDJSON of any length
         * @description Rows are stored in batches while the body comes; one that cannot be stored is refused with its line and its reason. A call that breaks off is gone on with by its importId.
         */
        post: operations["postImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show how far an import of history is stored */
        get: operations["getImportById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connector/import_test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try an import on the first rows: the samples that it would write, and nothing is stored */
        post: operations["postConnectorImportTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connector/{uid}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runs of an import, latest first */
        get: operations["getConnectorByUidRun"];
        put?: never;
        /** Run an import now */
        post: operations["postConnectorByUidRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connector/{uid}/run/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancel a run */
        delete: operations["deleteConnectorByUidRunByRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comp/{compId}/property": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read properties of a component */
        get: operations["getCompByCompIdProperty"];
        put?: never;
        /** Set properties of a component */
        post: operations["postCompByCompIdProperty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List organizations */
        get: operations["getOrganization"];
        put?: never;
        /** Make an organization */
        post: operations["postOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organization/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an organization */
        get: operations["getOrganizationByUid"];
        /**
         * Change an organization
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putOrganizationByUid"];
        post?: never;
        /**
         * Delete an organization
         * @description 202 while its samples are removed in the background: removal says how far it is.
         */
        delete: operations["deleteOrganizationByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users */
        get: operations["getUser"];
        put?: never;
        /** Make a user */
        post: operations["postUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a user */
        get: operations["getUserByUid"];
        /**
         * Change a user
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putUserByUid"];
        post?: never;
        /** Delete a user */
        delete: operations["deleteUserByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{uid}/reset_link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a link by which a user sets a new password */
        post: operations["postUserByUidResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys */
        get: operations["getApiKey"];
        put?: never;
        /** Make an API key */
        post: operations["postApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api_key/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an API key */
        get: operations["getApiKeyByUid"];
        /**
         * Change an API key
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putApiKeyByUid"];
        post?: never;
        /** Delete an API key */
        delete: operations["deleteApiKeyByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api_key/{uid}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** View the secret of an API key */
        get: operations["getApiKeyByUidSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth_client": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List OAuth clients */
        get: operations["getOauthClient"];
        put?: never;
        /** Make an OAuth client */
        post: operations["postOauthClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth_client/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an OAuth client */
        get: operations["getOauthClientByUid"];
        /**
         * Change an OAuth client
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putOauthClientByUid"];
        post?: never;
        /** Delete an OAuth client */
        delete: operations["deleteOauthClientByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the applications that may act for you */
        get: operations["getGrant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/grant/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End the access of an application */
        delete: operations["deleteGrantByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the audit log, latest first */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/removal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List removals that go on in the background, and those that are over, latest first */
        get: operations["getRemoval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/removal/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how far a removal is
         * @description A DELETE that is answered with 202 shows the uid under removal.
         */
        get: operations["getRemovalByUid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/component": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List components */
        get: operations["getComponent"];
        /**
         * Make or change many components at once
         * @description Found by their IDs: those that are not there are made, and the others get the members given. Streams are found by their IDs too; those that are not listed stay. All are saved, or none.
         */
        put: operations["putComponent"];
        /** Make a component */
        post: operations["postComponent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/component/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a component */
        get: operations["getComponentByUid"];
        /**
         * Change a component
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putComponentByUid"];
        post?: never;
        /**
         * Delete a component
         * @description 202 while its samples are removed in the background: removal says how far it is.
         */
        delete: operations["deleteComponentByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List templates */
        get: operations["getTemplate"];
        put?: never;
        /** Make a template */
        post: operations["postTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/template/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a template */
        get: operations["getTemplateByUid"];
        /**
         * Change a template
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putTemplateByUid"];
        post?: never;
        /** Delete a template */
        delete: operations["deleteTemplateByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/derive_test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show what an expression would give, and store nothing */
        post: operations["postStreamDeriveTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/{uid}/derive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show how far a stream has been derived anew */
        get: operations["getStreamByUidDerive"];
        put?: never;
        /** Derive a stream anew */
        post: operations["postStreamByUidDerive"];
        /** Stop deriving a stream anew */
        delete: operations["deleteStreamByUidDerive"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List streams */
        get: operations["getStream"];
        put?: never;
        /** Make a stream */
        post: operations["postStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a stream */
        get: operations["getStreamByUid"];
        /**
         * Change a stream
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putStreamByUid"];
        post?: never;
        /**
         * Delete a stream
         * @description 202 while its samples are removed in the background: removal says how far it is.
         */
        delete: operations["deleteStreamByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cycle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List cycles */
        get: operations["getCycle"];
        put?: never;
        /** Make a cycle */
        post: operations["postCycle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cycle/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a cycle */
        get: operations["getCycleByUid"];
        /**
         * Change a cycle
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putCycleByUid"];
        post?: never;
        /** Delete a cycle */
        delete: operations["deleteCycleByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List units */
        get: operations["getUnit"];
        put?: never;
        /** Make a unit */
        post: operations["postUnit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unit/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a unit */
        get: operations["getUnitByUid"];
        /**
         * Change a unit
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putUnitByUid"];
        post?: never;
        /** Delete a unit */
        delete: operations["deleteUnitByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/folder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List folders */
        get: operations["getFolder"];
        put?: never;
        /** Make a folder */
        post: operations["postFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/folder/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a folder */
        get: operations["getFolderByUid"];
        /**
         * Change a folder
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putFolderByUid"];
        post?: never;
        /** Delete a folder */
        delete: operations["deleteFolderByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List saved queries */
        get: operations["getQuery"];
        put?: never;
        /** Make a saved query */
        post: operations["postQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/query/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a saved query */
        get: operations["getQueryByUid"];
        /**
         * Change a saved query
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putQueryByUid"];
        post?: never;
        /** Delete a saved query */
        delete: operations["deleteQueryByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List dashboards */
        get: operations["getDashboard"];
        put?: never;
        /** Make a dashboard */
        post: operations["postDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a dashboard */
        get: operations["getDashboardByUid"];
        /**
         * Change a dashboard
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putDashboardByUid"];
        post?: never;
        /** Delete a dashboard */
        delete: operations["deleteDashboardByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List connections */
        get: operations["getConnection"];
        put?: never;
        /** Make a connection */
        post: operations["postConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connection/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a connection */
        get: operations["getConnectionByUid"];
        /**
         * Change a connection
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putConnectionByUid"];
        post?: never;
        /** Delete a connection */
        delete: operations["deleteConnectionByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connection/{uid}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try a connection, within five seconds */
        post: operations["postConnectionByUidTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connection/{uid}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show the first rows of an External SQL, and their types */
        post: operations["postConnectionByUidPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connector": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List connectors */
        get: operations["getConnector"];
        put?: never;
        /** Make a connector */
        post: operations["postConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connector/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a connector */
        get: operations["getConnectorByUid"];
        /**
         * Change a connector
         * @description Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.
         */
        put: operations["putConnectorByUid"];
        post?: never;
        /** Delete a connector */
        delete: operations["deleteConnectorByUid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message of the Model Context Protocol (streamable HTTP, without sessions)
         * @description For assistants. Its tools make the calls of this API by the same credential.
         */
        post: operations["postMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where assistants get a token (RFC 9728) */
        get: operations["getWellKnownOauthProtectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/api/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where assistants get a token (RFC 9728) */
        get: operations["getWellKnownOauthProtectedResourceApiMcp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description, as OpenAPI 3.1 */
        get: operations["getOpenapiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            success: boolean;
            /** @description docs/replies.md lists them */
            code: string;
            /** @description for people, and may change */
            message: string;
        } & {
            [key: string]: unknown;
        };
        /** Organization */
        Organization: {
            readonly uid: string;
            name: string;
            /**
             * @description an IANA time zone
             * @example Europe/Berlin
             */
            timeZone: string | null;
            public: boolean;
            plan: {
                gsql?: boolean;
            };
            retentionDays: number | null;
            brand: {
                domain?: string | null;
                name?: string | null;
                logo?: string | null;
            } | null;
            version: number;
        };
        /** Removal */
        Removal: {
            uid: string;
            /** @enum {string} */
            entity: "organization" | "component" | "stream";
            /** @description the uid of the removed entity */
            subject: string;
            /** @description its id, or its name */
            name: string;
            /** @description epoch milliseconds */
            start: number;
            /** @description epoch milliseconds; null while it goes on */
            end: number | null;
            streams: number;
            streamsRemoved: number;
            /** @description null while they are counted */
            samples: number | null;
            samplesRemoved: number;
        };
        /** User */
        User: {
            readonly uid: string;
            email: string;
            firstName: string;
            lastName: string;
            /** @enum {string} */
            role: "guest" | "member" | "admin" | "owner";
            /**
             * @description an IANA time zone
             * @example Europe/Berlin
             */
            timeZone: string | null;
            version: number;
        };
        /** ApiKey */
        ApiKey: {
            readonly uid: string;
            name: string;
            capabilities: {
                /** @example component/*\/feed */
                resource: string;
                methods?: ("GET" | "PUT" | "POST" | "DELETE")[];
            }[];
            addresses: string[];
            enabled: boolean;
            expires: number | null;
            /** @description of a new key, this once */
            secret?: string;
            version: number;
        };
        /** OauthClient */
        OauthClient: {
            readonly uid: string;
            clientId: string;
            name: string;
            redirectUris: string[];
            /** @description of a new secret, this once */
            secret?: string;
            readonly hasSecret: boolean;
            passwordLogin: boolean;
            requirePkce: boolean;
            version: number;
        };
        /** Component */
        Component: {
            readonly uid: string;
            id: string | null;
            name: string;
            description: string;
            folder: string;
            /**
             * @description an IANA time zone
             * @example Europe/Berlin
             */
            timeZone: string | null;
            templateUid: string | null;
            version: number;
            stream: {
                uid: string | null;
                componentUid?: string | null;
                templateUid?: string | null;
                id: string | null;
                name: string;
                description: string;
                /** @enum {string} */
                kind: "random" | "interval" | "point";
                /** @enum {string} */
                valueType: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
                baseCycleId: string | null;
                unitUid: string | null;
                expression: string | null;
                variables: {
                    name: string;
                    componentId?: string;
                    streamId: string;
                    offset?: number;
                    cycleId?: string;
                    /** @enum {string} */
                    statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
                }[] | null;
                position: number;
                version: number;
                readonly staleFrom?: number | null;
                readonly deriveError?: {
                    at: number;
                    time: number;
                    message: string;
                } | null;
            }[];
        };
        /** Template */
        Template: {
            readonly uid: string;
            id: string | null;
            name: string;
            description: string;
            /**
             * @description an IANA time zone
             * @example Europe/Berlin
             */
            timeZone: string | null;
            version: number;
            stream: {
                uid: string | null;
                componentUid?: string | null;
                templateUid?: string | null;
                id: string | null;
                name: string;
                description: string;
                /** @enum {string} */
                kind: "random" | "interval" | "point";
                /** @enum {string} */
                valueType: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
                baseCycleId: string | null;
                unitUid: string | null;
                expression: string | null;
                variables: {
                    name: string;
                    componentId?: string;
                    streamId: string;
                    offset?: number;
                    cycleId?: string;
                    /** @enum {string} */
                    statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
                }[] | null;
                position: number;
                version: number;
                readonly staleFrom?: number | null;
                readonly deriveError?: {
                    at: number;
                    time: number;
                    message: string;
                } | null;
            }[];
        };
        /** Stream */
        Stream: {
            uid: string | null;
            componentUid?: string | null;
            templateUid?: string | null;
            id: string | null;
            name: string;
            description: string;
            /** @enum {string} */
            kind: "random" | "interval" | "point";
            /** @enum {string} */
            valueType: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
            baseCycleId: string | null;
            unitUid: string | null;
            expression: string | null;
            variables: {
                name: string;
                componentId?: string;
                streamId: string;
                offset?: number;
                cycleId?: string;
                /** @enum {string} */
                statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
            }[] | null;
            position: number;
            version: number;
            readonly staleFrom?: number | null;
            readonly deriveError?: {
                at: number;
                time: number;
                message: string;
            } | null;
        };
        /** Cycle */
        Cycle: {
            readonly uid: string;
            readonly isStock: boolean;
            id: string | null;
            name: string;
            size: number;
            /** @enum {string} */
            unit: "second" | "minute" | "hour" | "day" | "week" | "month" | "year";
            /** @example 2001-01-01T00:00:00 */
            reference: string;
            /**
             * @description an IANA time zone
             * @example Europe/Berlin
             */
            timeZone: string | null;
            version: number;
        };
        /** Unit */
        Unit: {
            readonly uid: string;
            id: string | null;
            name: string;
            symbol: string;
            /** @enum {string} */
            symbolLocation: "before" | "after";
            /** @example 0,000.00 */
            numberFormat: string;
            /** @enum {string} */
            booleanStyle: "TRUE_FALSE" | "ONE_ZERO" | "ON_OFF" | "YES_NO" | "CLOSE_OPEN" | "OPEN_CLOSE" | "HIGH_LOW" | "LOW_HIGH";
            version: number;
        };
        /** Folder */
        Folder: {
            readonly uid: string;
            path: string;
        };
        /** Query */
        Query: {
            readonly uid: string;
            name: string;
            sql: string;
            /**
             * @description an IANA time zone
             * @example Europe/Berlin
             */
            timeZone: string | null;
            version: number;
        };
        /** Tile */
        Tile: {
            /** @enum {string} */
            kind: "chart" | "value" | "table" | "text";
            title: string;
            column: number;
            row: number;
            width: number;
            height: number;
            stream: {
                componentUid: string;
                streamId: string;
            }[];
            cycleId: string | null;
            /** @enum {string|null} */
            statistic: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount" | null;
            seconds: number | null;
            text: string;
        };
        /** Dashboard */
        Dashboard: {
            readonly uid: string;
            name: string;
            description: string;
            tile: components["schemas"]["Tile"][];
            version: number;
        };
        /** Connection */
        Connection: {
            readonly uid: string;
            name: string;
            /** @enum {string} */
            kind: "postgresql" | "mysql" | "sqlserver" | "oracle";
            host: string;
            port: number | null;
            database: string;
            user: string;
            /** @enum {unknown} */
            tls: true | false | "no-verify";
            /** @description a certificate in PEM */
            ca: string | null;
            /** @description a certificate in PEM */
            certificate: string | null;
            connectTimeoutMs: number | null;
            searchPath: string | null;
            sessionTimeZone: string | null;
            instance: string | null;
            sid: boolean | null;
            readonly hasPassword: boolean;
            readonly hasKey: boolean;
            readonly hasWallet: boolean;
            version: number;
        };
        /** Connector */
        Connector: {
            readonly uid: string;
            /** @enum {string} */
            type: "http" | "import";
            name: string;
            enabled: boolean;
            /**
             * @description an IANA time zone
             * @example Europe/Berlin
             */
            timeZone: string | null;
            version: number;
            endpoint?: string;
            runAsUserUid?: string | null;
            sql?: string;
            debug?: boolean;
            readonly sinkUrl?: string;
            connectionUid?: string;
            runningUserUid?: string | null;
            externalSql?: string;
            ingestSql?: string;
            maxRows?: number;
            skipUnchanged?: boolean;
            /** @example *\/5 * * * * */
            schedule?: string | null;
            overlapSeconds?: number;
            readonly lastRunDate?: number | null;
            readonly nextRun?: number | null;
            readonly lastError?: string | null;
            readonly failures?: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getServerMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReadyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        userUid: string | null;
                        userEmail: string | null;
                        userFirstName: string | null;
                        userLastName: string | null;
                        organization: {
                            uid: string;
                            name: string;
                        }[];
                        mqttPort: number | null;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "owner@example.org",
                 *       "password": "…"
                 *     }
                 */
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        sessionUid: string;
                        userUid: string;
                        userEmail: string;
                        userFirstName: string;
                        userLastName: string;
                        organization: {
                            uid: string;
                            name: string;
                        }[];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postOauthLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "owner@example.org",
                 *       "password": "…",
                 *       "response_type": "code",
                 *       "client_id": "portal",
                 *       "redirect_uri": "https://portal.example/back"
                 *     }
                 */
                "application/json": {
                    email: string;
                    password: string;
                    response_type: string;
                    client_id: string;
                    redirect_uri?: string;
                    state?: string;
                    scope?: string;
                    org?: string;
                    resource?: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        oauthCode: string;
                        oauthState: string;
                        oauthRedirectUri: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postOauthAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "refresh_token",
                 *       "refresh_token": "…",
                 *       "client_id": "portal",
                 *       "client_secret": "…"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    grant_type: string;
                    code?: string;
                    redirect_uri?: string;
                    code_verifier?: string;
                    refresh_token?: string;
                    scope?: string;
                    resource?: string;
                    client_id?: string;
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postOauthRevoke: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "token": "…",
                 *       "client_id": "portal"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    token: string;
                    token_type_hint?: string;
                    client_id?: string;
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postOauthIntrospect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "token": "…",
                 *       "client_id": "portal"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    token: string;
                    token_type_hint?: string;
                    client_id?: string;
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWellKnownOauthAuthorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFeed: {
        parameters: {
            query: {
                /**
                 * @description the component
                 * @example Boiler
                 */
                compId?: string;
                /**
                 * @description values by the position of their streams; may be repeated
                 * @example 20.4
                 */
                data?: string;
                /** @description the times of the values, epoch milliseconds */
                time?: string;
                /** @description milliseconds from one value to the next, back from now */
                timeEl?: string;
                /** @description milliseconds between values, the last one now */
                freq?: number;
                /** @description between values and between times; a comma if not given */
                delim?: string;
                /** @description streams whose last values the reply shows; may be repeated */
                rsid?: string;
                /** @description the template of a component that is made */
                compTmplId?: string;
                /** @description the name of a component that is made */
                compName?: string;
                /** @description the folder of a component that is made */
                folder?: string;
                /** @description with dsId, the template of streams that are made */
                dtId?: string;
                /** @description with dtId, the stream of that template */
                dsId?: string;
                /** @description fill missing intervals with nulls */
                autofillGapsWithNulls?: boolean;
                /** @description derive at most so many streams before the reply */
                derMaxS?: number;
                /** @description derive only within so many milliseconds */
                derTout?: number;
                /**
                 * @description says that this GET uploads
                 * @example
                 */
                asPut: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putFeed: {
        parameters: {
            query?: {
                /** @description the component */
                compId?: string;
                /** @description values by the position of their streams; may be repeated */
                data?: string;
                /** @description the times of the values, epoch milliseconds */
                time?: string;
                /** @description milliseconds from one value to the next, back from now */
                timeEl?: string;
                /** @description milliseconds between values, the last one now */
                freq?: number;
                /** @description between values and between times; a comma if not given */
                delim?: string;
                /** @description streams whose last values the reply shows; may be repeated */
                rsid?: string;
                /** @description the template of a component that is made */
                compTmplId?: string;
                /** @description the name of a component that is made */
                compName?: string;
                /** @description the folder of a component that is made */
                folder?: string;
                /** @description with dsId, the template of streams that are made */
                dtId?: string;
                /** @description with dtId, the stream of that template */
                dsId?: string;
                /** @description fill missing intervals with nulls */
                autofillGapsWithNulls?: boolean;
                /** @description derive at most so many streams before the reply */
                derMaxS?: number;
                /** @description derive only within so many milliseconds */
                derTout?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "compId": "Boiler",
                 *         "streamId": "temp",
                 *         "time": 1767225600000,
                 *         "data": 20.1
                 *       }
                 *     ]
                 */
                "application/json": {
                    compId?: string;
                    streamId: string;
                    time?: number | string | null;
                    data: number | string | boolean | null;
                }[] | {
                    feed: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdFeed: {
        parameters: {
            query?: {
                /** @description from here on; needs ed, epoch milliseconds */
                sd?: number;
                /** @description before this, epoch milliseconds */
                ed?: number;
                /** @description at most so many items; a reply has 1,000, and a link to the rest */
                limit?: number;
                /** @description where an earlier reply ended, as its link has it */
                after?: string;
                /** @description adds compId */
                retCompId?: boolean;
                /** @description adds streamId */
                retStreamId?: boolean;
                /** @description adds sdTime, the start of the interval */
                retIntvlSd?: boolean;
                /** @description adds fData, the value by its unit's format */
                retFData?: boolean;
                /** @description adds unit, its symbol */
                retUnit?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description the component
                 * @example Boiler
                 */
                compId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        compId?: string;
                        streamId?: string;
                        sdTime?: number;
                        time: number;
                        data: number | string | boolean | null;
                        fData?: string;
                        unit?: string;
                        fileName?: string;
                        size?: number;
                        contentType?: string;
                    }[];
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdStreamByStreamIdFeed: {
        parameters: {
            query?: {
                /** @description from here on; needs ed, epoch milliseconds */
                sd?: number;
                /** @description before this, epoch milliseconds */
                ed?: number;
                /** @description at most so many items; a reply has 1,000, and a link to the rest */
                limit?: number;
                /** @description where an earlier reply ended, as its link has it */
                after?: string;
                /** @description adds compId */
                retCompId?: boolean;
                /** @description adds streamId */
                retStreamId?: boolean;
                /** @description adds sdTime, the start of the interval */
                retIntvlSd?: boolean;
                /** @description adds fData, the value by its unit's format */
                retFData?: boolean;
                /** @description adds unit, its symbol */
                retUnit?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description the component
                 * @example Boiler
                 */
                compId: string;
                /**
                 * @description the stream
                 * @example temp
                 */
                streamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        compId?: string;
                        streamId?: string;
                        sdTime?: number;
                        time: number;
                        data: number | string | boolean | null;
                        fData?: string;
                        unit?: string;
                        fileName?: string;
                        size?: number;
                        contentType?: string;
                    }[];
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteCompByCompIdStreamByStreamIdFeed: {
        parameters: {
            query: {
                /**
                 * @description from here on, epoch milliseconds
                 * @example 1767225600000
                 */
                sd: number;
                /**
                 * @description before this, epoch milliseconds
                 * @example 1767225600001
                 */
                ed: number;
            };
            header?: never;
            path: {
                /**
                 * @description the component
                 * @example Boiler
                 */
                compId: string;
                /**
                 * @description the stream
                 * @example temp
                 */
                streamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        deleted?: number;
                        /** @description quarters of an hour of statistics that went along */
                        archivedQuarters?: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdStreamByStreamIdChart: {
        parameters: {
            query?: {
                /** @description from here on; needs ed; all there is unless given, epoch milliseconds */
                sd?: number;
                /** @description before this; needs sd, epoch milliseconds */
                ed?: number;
                /** @description at most so many items */
                points?: number;
            };
            header?: never;
            path: {
                /**
                 * @description the component
                 * @example Boiler
                 */
                compId: string;
                /**
                 * @description the stream
                 * @example temp
                 */
                streamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the window; null where there is no sample */
                        sd: number | null;
                        ed: number | null;
                        /** @description of the component */
                        timeZone: string;
                        step: null | {
                            size: number;
                            /** @enum {string} */
                            unit: "millisecond" | "second" | "minute" | "hour" | "day" | "week" | "month" | "year";
                        };
                        /** @description sdTime, time, value; of an interval its mean, and then its least and most */
                        items: (number | null)[][];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdLastValue: {
        parameters: {
            query?: {
                /** @description from here on; needs ed, epoch milliseconds */
                sd?: number;
                /** @description before this, epoch milliseconds */
                ed?: number;
                /** @description at most so many items; a reply has 1,000, and a link to the rest */
                limit?: number;
                /** @description where an earlier reply ended, as its link has it */
                after?: string;
                /** @description adds compId */
                retCompId?: boolean;
                /** @description adds streamId */
                retStreamId?: boolean;
                /** @description adds sdTime, the start of the interval */
                retIntvlSd?: boolean;
                /** @description adds fData, the value by its unit's format */
                retFData?: boolean;
                /** @description adds unit, its symbol */
                retUnit?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description the component
                 * @example Boiler
                 */
                compId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        compId?: string;
                        streamId?: string;
                        sdTime?: number;
                        time: number;
                        data: number | string | boolean | null;
                        fData?: string;
                        unit?: string;
                        fileName?: string;
                        size?: number;
                        contentType?: string;
                    }[];
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdStreamByStreamIdLastValue: {
        parameters: {
            query?: {
                /** @description from here on; needs ed, epoch milliseconds */
                sd?: number;
                /** @description before this, epoch milliseconds */
                ed?: number;
                /** @description at most so many items; a reply has 1,000, and a link to the rest */
                limit?: number;
                /** @description where an earlier reply ended, as its link has it */
                after?: string;
                /** @description adds compId */
                retCompId?: boolean;
                /** @description adds streamId */
                retStreamId?: boolean;
                /** @description adds sdTime, the start of the interval */
                retIntvlSd?: boolean;
                /** @description adds fData, the value by its unit's format */
                retFData?: boolean;
                /** @description adds unit, its symbol */
                retUnit?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description the component
                 * @example Boiler
                 */
                compId: string;
                /**
                 * @description the stream
                 * @example temp
                 */
                streamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        compId?: string;
                        streamId?: string;
                        sdTime?: number;
                        time: number;
                        data: number | string | boolean | null;
                        fData?: string;
                        unit?: string;
                        fileName?: string;
                        size?: number;
                        contentType?: string;
                    }[];
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdCycleByCycleIdStatByStatIdFeed: {
        parameters: {
            query?: {
                /** @description from here on; needs ed, epoch milliseconds */
                sd?: number;
                /** @description before this, epoch milliseconds */
                ed?: number;
                /** @description at most so many items; a reply has 1,000, and a link to the rest */
                limit?: number;
                /** @description where an earlier reply ended, as its link has it */
                after?: string;
                /** @description adds compId */
                retCompId?: boolean;
                /** @description adds streamId */
                retStreamId?: boolean;
                /** @description adds sdTime, the start of the interval */
                retIntvlSd?: boolean;
                /** @description adds fData, the value by its unit's format */
                retFData?: boolean;
                /** @description adds unit, its symbol */
                retUnit?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description the component
                 * @example Boiler
                 */
                compId: string;
                /**
                 * @description hour, day, month … or a cycle of your own
                 * @example hour
                 */
                cycleId: string;
                /** @example first */
                statId: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        compId?: string;
                        streamId?: string;
                        sdTime?: number;
                        time: number;
                        data: number | string | boolean | null;
                        fData?: string;
                        unit?: string;
                        fileName?: string;
                        size?: number;
                        contentType?: string;
                    }[];
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdStreamByStreamIdCycleByCycleIdStatByStatIdFeed: {
        parameters: {
            query?: {
                /** @description from here on; needs ed, epoch milliseconds */
                sd?: number;
                /** @description before this, epoch milliseconds */
                ed?: number;
                /** @description at most so many items; a reply has 1,000, and a link to the rest */
                limit?: number;
                /** @description where an earlier reply ended, as its link has it */
                after?: string;
                /** @description adds compId */
                retCompId?: boolean;
                /** @description adds streamId */
                retStreamId?: boolean;
                /** @description adds sdTime, the start of the interval */
                retIntvlSd?: boolean;
                /** @description adds fData, the value by its unit's format */
                retFData?: boolean;
                /** @description adds unit, its symbol */
                retUnit?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description the component
                 * @example Boiler
                 */
                compId: string;
                /**
                 * @description the stream
                 * @example temp
                 */
                streamId: string;
                /**
                 * @description hour, day, month … or a cycle of your own
                 * @example hour
                 */
                cycleId: string;
                /** @example first */
                statId: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        compId?: string;
                        streamId?: string;
                        sdTime?: number;
                        time: number;
                        data: number | string | boolean | null;
                        fData?: string;
                        unit?: string;
                        fileName?: string;
                        size?: number;
                        contentType?: string;
                    }[];
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdCycleByCycleIdStatByStatIdLastValue: {
        parameters: {
            query?: {
                /** @description from here on; needs ed, epoch milliseconds */
                sd?: number;
                /** @description before this, epoch milliseconds */
                ed?: number;
                /** @description at most so many items; a reply has 1,000, and a link to the rest */
                limit?: number;
                /** @description where an earlier reply ended, as its link has it */
                after?: string;
                /** @description adds compId */
                retCompId?: boolean;
                /** @description adds streamId */
                retStreamId?: boolean;
                /** @description adds sdTime, the start of the interval */
                retIntvlSd?: boolean;
                /** @description adds fData, the value by its unit's format */
                retFData?: boolean;
                /** @description adds unit, its symbol */
                retUnit?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description the component
                 * @example Boiler
                 */
                compId: string;
                /**
                 * @description hour, day, month … or a cycle of your own
                 * @example hour
                 */
                cycleId: string;
                /** @example first */
                statId: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        compId?: string;
                        streamId?: string;
                        sdTime?: number;
                        time: number;
                        data: number | string | boolean | null;
                        fData?: string;
                        unit?: string;
                        fileName?: string;
                        size?: number;
                        contentType?: string;
                    }[];
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdStreamByStreamIdCycleByCycleIdStatByStatIdLastValue: {
        parameters: {
            query?: {
                /** @description from here on; needs ed, epoch milliseconds */
                sd?: number;
                /** @description before this, epoch milliseconds */
                ed?: number;
                /** @description at most so many items; a reply has 1,000, and a link to the rest */
                limit?: number;
                /** @description where an earlier reply ended, as its link has it */
                after?: string;
                /** @description adds compId */
                retCompId?: boolean;
                /** @description adds streamId */
                retStreamId?: boolean;
                /** @description adds sdTime, the start of the interval */
                retIntvlSd?: boolean;
                /** @description adds fData, the value by its unit's format */
                retFData?: boolean;
                /** @description adds unit, its symbol */
                retUnit?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description the component
                 * @example Boiler
                 */
                compId: string;
                /**
                 * @description the stream
                 * @example temp
                 */
                streamId: string;
                /**
                 * @description hour, day, month … or a cycle of your own
                 * @example hour
                 */
                cycleId: string;
                /** @example first */
                statId: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        compId?: string;
                        streamId?: string;
                        sdTime?: number;
                        time: number;
                        data: number | string | boolean | null;
                        fData?: string;
                        unit?: string;
                        fileName?: string;
                        size?: number;
                        contentType?: string;
                    }[];
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdStreamByStreamIdFeedFileByFileName: {
        parameters: {
            query?: {
                disposition?: "inline" | "attachment";
                /** @description base64 text from this byte on */
                start?: number;
                /** @description of so many raw bytes */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example Gate */
                compId: string;
                /** @example notes */
                streamId: string;
                /** @example hello.txt */
                fileName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putCompByCompIdStreamByStreamIdFeedFileByFileName: {
        parameters: {
            query?: {
                /**
                 * @description epoch milliseconds; now, if not given
                 * @example 1767225600000
                 */
                time?: number;
                /** @description the template of a component that is made */
                compTmplId?: string;
                /** @description the name of a component that is made */
                compName?: string;
                /** @description the folder of a component that is made */
                folder?: string;
                /** @description with dsId, the template of streams that are made */
                dtId?: string;
                /** @description with dtId, the stream of that template */
                dsId?: string;
            };
            header?: never;
            path: {
                /** @example Gate */
                compId: string;
                /** @example notes */
                streamId: string;
                /** @example hello.txt */
                fileName: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example hello */
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdStreamByStreamIdFeedFileByTimeByFileName: {
        parameters: {
            query?: {
                disposition?: "inline" | "attachment";
                /** @description base64 text from this byte on */
                start?: number;
                /** @description of so many raw bytes */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example Gate */
                compId: string;
                /** @example notes */
                streamId: string;
                /** @example hello.txt */
                fileName: string;
                /** @example 1767225600000 */
                time: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnSinkByOrgByEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description uid of the organization */
                org: string;
                endpoint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        inserted: number;
                        updated?: number;
                        deleted?: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putConnSinkByOrgByEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description uid of the organization */
                org: string;
                endpoint: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {"wind":4.2} */
                "text/plain": unknown;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        inserted: number;
                        updated?: number;
                        deleted?: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postConnSinkByOrgByEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description uid of the organization */
                org: string;
                endpoint: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {"wind":4.2} */
                "text/plain": unknown;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        inserted: number;
                        updated?: number;
                        deleted?: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteConnSinkByOrgByEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description uid of the organization */
                org: string;
                endpoint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        inserted: number;
                        updated?: number;
                        deleted?: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getGql: {
        parameters: {
            query: {
                /**
                 * @description the script
                 * @example SELECT cid, id FROM Stream
                 */
                s: string;
                /** @description its time zone, in place of the organization's */
                tz?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        cols: {
                            name: string;
                            valueType: string;
                        }[];
                        rows: (number | string | boolean | null)[][];
                        inserted: number;
                        updated?: number;
                        deleted?: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postGql: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "s": "SELECT cid, id FROM Stream"
                 *     }
                 */
                "application/json": {
                    s: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    tz?: string | null;
                    /** @description refuses a script that writes, as GET does, and is for those who may GET */
                    reads?: boolean;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        cols: {
                            name: string;
                            valueType: string;
                        }[];
                        rows: (number | string | boolean | null)[][];
                        inserted: number;
                        updated?: number;
                        deleted?: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postConnectorTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "sql": "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Mast', 'wind', 1767225600000, 4.2"
                 *     }
                 */
                "application/json": {
                    sql: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    variables?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        rows: {
                            cid: string;
                            id: string;
                            time: number;
                            sample: number | string | boolean | null;
                        }[];
                        updated?: number;
                        deleted?: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnectorByUidCall: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
            };
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        call: {
                            time: number;
                            method: string;
                            bytes: number;
                            rows: number;
                            ms: number;
                            error: string | null;
                            body: string | null;
                            query: string | null;
                        }[];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getExport: {
        parameters: {
            query?: {
                what?: "samples" | "statistics" | "catalogue";
                /** @description else by the Accept header; CSV by default */
                format?: "csv" | "ndjson" | "parquet";
                /** @description components in this folder, and below it */
                folder?: string;
                /** @description a component; may be repeated */
                compId?: string;
                /** @description a stream; may be repeated */
                streamId?: string;
                /** @description from here on, epoch milliseconds */
                sd?: number;
                /** @description before this, epoch milliseconds */
                ed?: number;
                /** @description statistics: hour, day, month … or a cycle of your own */
                cycle?: string;
                /** @description statistics: which */
                stat?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        import: {
                            id: string;
                            /** @description whether a body has come to its end */
                            done: boolean;
                            /** @description of the body, inflated, up to which rows are stored or refused */
                            bytes: number;
                            /** @description the same in lines */
                            lines: number;
                            /** @description rows that were stored */
                            stored: number;
                            /** @description rows that were refused */
                            refused: number;
                            /** @description the first 100 of those */
                            refusals: {
                                /** @description counted from 1 */
                                line: number;
                                reason: string;
                            }[];
                            start: number;
                            end: number | null;
                        }[];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postImport: {
        parameters: {
            query?: {
                what?: "samples" | "catalogue";
                /**
                 * @description by which it can be gone on with
                 * @example history-1
                 */
                importId?: string;
                /** @description the component of all rows */
                compId?: string;
                /** @description the stream of all rows */
                streamId?: string;
                /** @description else by Content-Type, or by the first byte */
                format?: "csv" | "ndjson";
                /** @description the byte of the whole with which this body begins */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example compId,streamId,time,data
                 *     Boiler,temp,1767225600000,20.1
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        import: {
                            id: string;
                            /** @description whether a body has come to its end */
                            done: boolean;
                            /** @description of the body, inflated, up to which rows are stored or refused */
                            bytes: number;
                            /** @description the same in lines */
                            lines: number;
                            /** @description rows that were stored */
                            stored: number;
                            /** @description rows that were refused */
                            refused: number;
                            /** @description the first 100 of those */
                            refusals: {
                                /** @description counted from 1 */
                                line: number;
                                reason: string;
                            }[];
                            start: number;
                            end: number | null;
                        };
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getImportById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example history-1 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        import: {
                            id: string;
                            /** @description whether a body has come to its end */
                            done: boolean;
                            /** @description of the body, inflated, up to which rows are stored or refused */
                            bytes: number;
                            /** @description the same in lines */
                            lines: number;
                            /** @description rows that were stored */
                            stored: number;
                            /** @description rows that were refused */
                            refused: number;
                            /** @description the first 100 of those */
                            refusals: {
                                /** @description counted from 1 */
                                line: number;
                                reason: string;
                            }[];
                            start: number;
                            end: number | null;
                        };
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postConnectorImportTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "connectionUid": "0b8f2d6e-4a1c-4d6b-9c57-3f5e8a7d1c20",
                 *       "externalSql": "SELECT 1 AS v",
                 *       "ingestSql": "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Mast', 'wind', 1767225600000, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 v DOUBLE)"
                 *     }
                 */
                "application/json": {
                    connectionUid: string;
                    externalSql: string;
                    ingestSql: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        columns: {
                            name: string;
                            type: string;
                        }[];
                        fetched: number;
                        rows: {
                            cid: string;
                            id: string;
                            time: number;
                            sample: number | string | boolean | null;
                        }[];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnectorByUidRun: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
            };
            header?: never;
            path: {
                /** @description of the connector */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        run: {
                            uid: string;
                            /** @enum {string} */
                            state: "waiting" | "running" | "succeeded" | "failed";
                            /** @description in the queue, while it waits */
                            place: number | null;
                            start: number | null;
                            end: number | null;
                            fetched: number;
                            inserted: number;
                            skipped: number;
                            error: string | null;
                            truncated: boolean;
                            scheduled: boolean;
                            /** @description milliseconds */
                            elapsed: number;
                        }[];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postConnectorByUidRun: {
        parameters: {
            query?: {
                /** @description answer when it has ended */
                wait?: boolean;
            };
            header?: never;
            path: {
                /** @description of the connector */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        run: {
                            uid: string;
                            /** @enum {string} */
                            state: "waiting" | "running" | "succeeded" | "failed";
                            /** @description in the queue, while it waits */
                            place: number | null;
                            start: number | null;
                            end: number | null;
                            fetched: number;
                            inserted: number;
                            skipped: number;
                            error: string | null;
                            truncated: boolean;
                            scheduled: boolean;
                            /** @description milliseconds */
                            elapsed: number;
                        };
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteConnectorByUidRunByRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the connector */
                uid: string;
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        run: {
                            uid: string;
                            /** @enum {string} */
                            state: "waiting" | "running" | "succeeded" | "failed";
                            /** @description in the queue, while it waits */
                            place: number | null;
                            start: number | null;
                            end: number | null;
                            fetched: number;
                            inserted: number;
                            skipped: number;
                            error: string | null;
                            truncated: boolean;
                            scheduled: boolean;
                            /** @description milliseconds */
                            elapsed: number;
                        };
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompByCompIdProperty: {
        parameters: {
            query?: {
                /** @example  */
                name?: boolean;
                /** @example  */
                description?: boolean;
            };
            header?: never;
            path: {
                /** @example Boiler */
                compId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly message?: string;
                        readonly success?: boolean;
                        component: {
                            name?: string;
                            description?: string;
                        };
                    }[];
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postCompByCompIdProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Boiler */
                compId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "component": {
                 *           "description": "Basement, left"
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": {
                    readonly message?: string;
                    readonly success?: boolean;
                    component: {
                        name?: string;
                        description?: string;
                    };
                }[];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        readonly message?: string;
                        readonly success?: boolean;
                        component: {
                            name?: string;
                            description?: string;
                        };
                    }[];
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, timeZone, version */
                sort?: string;
                name?: string;
                public?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        organization: components["schemas"]["Organization"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "North plant",
                 *       "timeZone": "Europe/Berlin"
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    name: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    public?: boolean;
                    plan?: {
                        gsql?: boolean;
                    };
                    retentionDays?: number | null;
                    brand?: {
                        domain?: string | null;
                        name?: string | null;
                        logo?: string | null;
                    } | null;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        organization: components["schemas"]["Organization"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOrganizationByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of an organization */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        organization: components["schemas"]["Organization"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putOrganizationByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of an organization */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    name?: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    public?: boolean;
                    plan?: {
                        gsql?: boolean;
                    };
                    retentionDays?: number | null;
                    brand?: {
                        domain?: string | null;
                        name?: string | null;
                        logo?: string | null;
                    } | null;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        organization: components["schemas"]["Organization"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteOrganizationByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of an organization */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        removal?: components["schemas"]["Removal"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: email, firstName, lastName, role, timeZone, version */
                sort?: string;
                role?: "guest" | "member" | "admin" | "owner";
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        user: components["schemas"]["User"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "new@example.org",
                 *       "role": "member",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    email: string;
                    firstName?: string;
                    lastName?: string;
                    /** @enum {string} */
                    role?: "guest" | "member" | "admin" | "owner";
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    password?: string;
                    currentPassword?: string;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUserByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a user */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putUserByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a user */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    email?: string;
                    firstName?: string;
                    lastName?: string;
                    /** @enum {string} */
                    role?: "guest" | "member" | "admin" | "owner";
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    password?: string;
                    currentPassword?: string;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUserByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a user */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postUserByUidResetLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        reset_link: {
                            url: string;
                            expires: number;
                        };
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, enabled, expires, version */
                sort?: string;
                name?: string;
                enabled?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        api_key: components["schemas"]["ApiKey"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Gateway",
                 *       "capabilities": [
                 *         {
                 *           "resource": "component/*\/feed",
                 *           "methods": [
                 *             "GET",
                 *             "PUT"
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    name: string;
                    capabilities?: {
                        /** @example component/*\/feed */
                        resource: string;
                        methods?: ("GET" | "PUT" | "POST" | "DELETE")[];
                    }[];
                    addresses?: string[];
                    enabled?: boolean;
                    expires?: number | null;
                    secret?: string;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        api_key: components["schemas"]["ApiKey"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApiKeyByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of an API key */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        api_key: components["schemas"]["ApiKey"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putApiKeyByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of an API key */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    name?: string;
                    capabilities?: {
                        /** @example component/*\/feed */
                        resource: string;
                        methods?: ("GET" | "PUT" | "POST" | "DELETE")[];
                    }[];
                    addresses?: string[];
                    enabled?: boolean;
                    expires?: number | null;
                    readonly secret?: unknown;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        api_key: components["schemas"]["ApiKey"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteApiKeyByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of an API key */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApiKeyByUidSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        secret: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOauthClient: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, clientId, version */
                sort?: string;
                clientId?: string;
                passwordLogin?: boolean;
                requirePkce?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        oauth_client: components["schemas"]["OauthClient"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postOauthClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Portal",
                 *       "redirectUris": [
                 *         "https://portal.example/callback"
                 *       ]
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    clientId?: string;
                    name: string;
                    redirectUris: string[];
                    secret?: boolean;
                    readonly hasSecret?: boolean;
                    passwordLogin?: boolean;
                    requirePkce?: boolean;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        oauth_client: components["schemas"]["OauthClient"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOauthClientByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of an OAuth client */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        oauth_client: components["schemas"]["OauthClient"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putOauthClientByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of an OAuth client */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    clientId?: string;
                    name?: string;
                    redirectUris?: string[];
                    secret?: boolean;
                    readonly hasSecret?: boolean;
                    passwordLogin?: boolean;
                    requirePkce?: boolean;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        oauth_client: components["schemas"]["OauthClient"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteOauthClientByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of an OAuth client */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getGrant: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        grant: {
                            uid: string;
                            client: {
                                clientId: string;
                                name: string;
                                organizationName: string;
                            };
                            organization: {
                                uid: string;
                                name: string;
                            };
                            scope: string;
                            created: number;
                            refreshed: number | null;
                        }[];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteGrantByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAudit: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                actor?: string;
                action?: string;
                entity?: string;
                subject?: string;
                /** @description epoch milliseconds */
                sd?: number;
                /** @description epoch milliseconds */
                ed?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        audit: {
                            time: number;
                            actor: string;
                            /** @description the e-mail of the user, or the name of the key */
                            actorName: string | null;
                            action: string;
                            subject: string | null;
                            /** @description as it is called now, or was when it was removed */
                            subjectName: string | null;
                            detail: unknown;
                        }[];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRemoval: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: start, end, name, entity */
                sort?: string;
                entity?: "organization" | "component" | "stream";
                done?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        removal: components["schemas"]["Removal"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRemovalByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a removal */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        removal: components["schemas"]["Removal"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getComponent: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, id, description, folder, timeZone, templateUid, version */
                sort?: string;
                uid?: string;
                id?: string;
                /** @description a folder, and all below it */
                folder?: string;
                templateUid?: string | null;
                /** @description an IANA time zone */
                timeZone?: string;
                /** @description false leaves the streams out, and stream is empty */
                streams?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        component: components["schemas"]["Component"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putComponent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "id": "Boiler 1",
                 *         "stream": [
                 *           {
                 *             "id": "temp"
                 *           }
                 *         ]
                 *       },
                 *       {
                 *         "id": "Boiler 2",
                 *         "folder": "/Components/Plant"
                 *       }
                 *     ]
                 */
                "application/json": {
                    id: string | null;
                    name?: string;
                    description?: string;
                    folder?: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    templateUid?: string | null;
                    stream?: {
                        id?: string | null;
                        name?: string;
                        description?: string;
                        /** @enum {string} */
                        kind?: "random" | "interval" | "point";
                        /** @enum {string} */
                        valueType?: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
                        baseCycleId?: string | null;
                        unitUid?: string | null;
                        expression?: string | null;
                        variables?: {
                            name: string;
                            componentId?: string;
                            streamId: string;
                            offset?: number;
                            cycleId?: string;
                            /** @enum {string} */
                            statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
                        }[] | null;
                    }[];
                }[];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        created: number;
                        updated: number;
                        unchanged: number;
                        component: {
                            id: string;
                            uid: string;
                            /** @enum {string} */
                            state: "created" | "updated" | "unchanged";
                        }[];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postComponent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "id": "Boiler",
                 *       "folder": "/Components/Plant",
                 *       "timeZone": "Europe/Berlin",
                 *       "stream": [
                 *         {
                 *           "id": "temp"
                 *         },
                 *         {
                 *           "id": "mode",
                 *           "valueType": "STRING"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    id?: string | null;
                    name?: string;
                    description?: string;
                    folder?: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    templateUid?: string | null;
                    version?: number;
                    stream?: {
                        uid?: string | null;
                        componentUid?: string | null;
                        templateUid?: string | null;
                        id?: string | null;
                        name?: string;
                        description?: string;
                        /** @enum {string} */
                        kind?: "random" | "interval" | "point";
                        /** @enum {string} */
                        valueType?: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
                        baseCycleId?: string | null;
                        unitUid?: string | null;
                        expression?: string | null;
                        variables?: {
                            name: string;
                            componentId?: string;
                            streamId: string;
                            offset?: number;
                            cycleId?: string;
                            /** @enum {string} */
                            statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
                        }[] | null;
                        position?: number;
                        version?: number;
                        readonly staleFrom?: number | null;
                        readonly deriveError?: {
                            at: number;
                            time: number;
                            message: string;
                        } | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        component: components["schemas"]["Component"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getComponentByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a component */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        component: components["schemas"]["Component"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putComponentByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a component */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    id?: string | null;
                    name?: string;
                    description?: string;
                    folder?: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    templateUid?: string | null;
                    version?: number;
                    stream?: {
                        uid?: string | null;
                        componentUid?: string | null;
                        templateUid?: string | null;
                        id?: string | null;
                        name?: string;
                        description?: string;
                        /** @enum {string} */
                        kind?: "random" | "interval" | "point";
                        /** @enum {string} */
                        valueType?: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
                        baseCycleId?: string | null;
                        unitUid?: string | null;
                        expression?: string | null;
                        variables?: {
                            name: string;
                            componentId?: string;
                            streamId: string;
                            offset?: number;
                            cycleId?: string;
                            /** @enum {string} */
                            statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
                        }[] | null;
                        position?: number;
                        version?: number;
                        readonly staleFrom?: number | null;
                        readonly deriveError?: {
                            at: number;
                            time: number;
                            message: string;
                        } | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        component: components["schemas"]["Component"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteComponentByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a component */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        removal?: components["schemas"]["Removal"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, id, description, timeZone, version */
                sort?: string;
                id?: string;
                /** @description false leaves the streams out, and stream is empty */
                streams?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        template: components["schemas"]["Template"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "id": "boiler",
                 *       "stream": [
                 *         {
                 *           "id": "temp"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    id?: string | null;
                    name?: string;
                    description?: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    version?: number;
                    fromComponentUid?: string | null;
                    stream?: {
                        uid?: string | null;
                        componentUid?: string | null;
                        templateUid?: string | null;
                        id?: string | null;
                        name?: string;
                        description?: string;
                        /** @enum {string} */
                        kind?: "random" | "interval" | "point";
                        /** @enum {string} */
                        valueType?: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
                        baseCycleId?: string | null;
                        unitUid?: string | null;
                        expression?: string | null;
                        variables?: {
                            name: string;
                            componentId?: string;
                            streamId: string;
                            offset?: number;
                            cycleId?: string;
                            /** @enum {string} */
                            statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
                        }[] | null;
                        position?: number;
                        version?: number;
                        readonly staleFrom?: number | null;
                        readonly deriveError?: {
                            at: number;
                            time: number;
                            message: string;
                        } | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        template: components["schemas"]["Template"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTemplateByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a template */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        template: components["schemas"]["Template"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putTemplateByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a template */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    id?: string | null;
                    name?: string;
                    description?: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    version?: number;
                    stream?: {
                        uid?: string | null;
                        componentUid?: string | null;
                        templateUid?: string | null;
                        id?: string | null;
                        name?: string;
                        description?: string;
                        /** @enum {string} */
                        kind?: "random" | "interval" | "point";
                        /** @enum {string} */
                        valueType?: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
                        baseCycleId?: string | null;
                        unitUid?: string | null;
                        expression?: string | null;
                        variables?: {
                            name: string;
                            componentId?: string;
                            streamId: string;
                            offset?: number;
                            cycleId?: string;
                            /** @enum {string} */
                            statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
                        }[] | null;
                        position?: number;
                        version?: number;
                        readonly staleFrom?: number | null;
                        readonly deriveError?: {
                            at: number;
                            time: number;
                            message: string;
                        } | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        template: components["schemas"]["Template"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteTemplateByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a template */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postStreamDeriveTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expression": "celsius * 9 / 5 + 32",
                 *       "variables": [
                 *         {
                 *           "name": "celsius",
                 *           "componentId": "Boiler",
                 *           "streamId": "temp"
                 *         }
                 *       ],
                 *       "from": 1767225600000,
                 *       "to": 1767229200000
                 *     }
                 */
                "application/json": {
                    expression: string;
                    variables: {
                        name: string;
                        componentId?: string;
                        streamId: string;
                        offset?: number;
                        cycleId?: string;
                        /** @enum {string} */
                        statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
                    }[];
                    /** @description epoch milliseconds */
                    from: number;
                    /** @description epoch milliseconds */
                    to: number;
                    componentUid?: string;
                    /** @enum {string} */
                    kind?: "random" | "interval";
                    /** @enum {string} */
                    valueType?: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
                    baseCycleId?: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        rows: {
                            time: number;
                            data: number | string | boolean | null;
                        }[];
                        more: boolean;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getStreamByUidDerive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        derive: {
                            from: number;
                            to: number;
                            reached: number | null;
                            start: number;
                            end: number | null;
                            cancelled: boolean;
                            error: string | null;
                        } | null;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postStreamByUidDerive: {
        parameters: {
            query?: {
                /**
                 * @description answer when it has ended
                 * @example false
                 */
                wait?: boolean;
            };
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "from": 1767225600000,
                 *       "to": 1767229200000
                 *     }
                 */
                "application/json": {
                    /** @description epoch milliseconds */
                    from?: number | null;
                    /** @description epoch milliseconds */
                    to?: number | null;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        derive: {
                            from: number;
                            to: number;
                            reached: number | null;
                            start: number;
                            end: number | null;
                            cancelled: boolean;
                            error: string | null;
                        } | null;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteStreamByUidDerive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        derive: {
                            from: number;
                            to: number;
                            reached: number | null;
                            start: number;
                            end: number | null;
                            cancelled: boolean;
                            error: string | null;
                        } | null;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getStream: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, id, description, componentId, kind, valueType, baseCycleId, unitUid, position, version */
                sort?: string;
                componentUid?: string;
                templateUid?: string;
                componentId?: string;
                /** @description a folder, and all below it */
                folder?: string;
                id?: string;
                kind?: "random" | "interval" | "point";
                valueType?: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
                baseCycleId?: string | null;
                unitUid?: string | null;
                derived?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        stream: components["schemas"]["Stream"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "componentUid": "0b8f2d6e-4a1c-4d6b-9c57-3f5e8a7d1c20",
                 *       "id": "fahrenheit",
                 *       "expression": "celsius * 9 / 5 + 32",
                 *       "variables": [
                 *         {
                 *           "name": "celsius",
                 *           "streamId": "temp"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    uid?: string | null;
                    componentUid?: string | null;
                    templateUid?: string | null;
                    id?: string | null;
                    name?: string;
                    description?: string;
                    /** @enum {string} */
                    kind?: "random" | "interval" | "point";
                    /** @enum {string} */
                    valueType?: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
                    baseCycleId?: string | null;
                    unitUid?: string | null;
                    expression?: string | null;
                    variables?: {
                        name: string;
                        componentId?: string;
                        streamId: string;
                        offset?: number;
                        cycleId?: string;
                        /** @enum {string} */
                        statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
                    }[] | null;
                    position?: number;
                    version?: number;
                    readonly staleFrom?: number | null;
                    readonly deriveError?: {
                        at: number;
                        time: number;
                        message: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        stream: components["schemas"]["Stream"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getStreamByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a stream */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        stream: components["schemas"]["Stream"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putStreamByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a stream */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    uid?: string | null;
                    componentUid?: string | null;
                    templateUid?: string | null;
                    id?: string | null;
                    name?: string;
                    description?: string;
                    /** @enum {string} */
                    kind?: "random" | "interval" | "point";
                    /** @enum {string} */
                    valueType?: "DOUBLE" | "LONG" | "BOOLEAN" | "STRING" | "FILE";
                    baseCycleId?: string | null;
                    unitUid?: string | null;
                    expression?: string | null;
                    variables?: {
                        name: string;
                        componentId?: string;
                        streamId: string;
                        offset?: number;
                        cycleId?: string;
                        /** @enum {string} */
                        statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount";
                    }[] | null;
                    position?: number;
                    version?: number;
                    readonly staleFrom?: number | null;
                    readonly deriveError?: {
                        at: number;
                        time: number;
                        message: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        stream: components["schemas"]["Stream"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteStreamByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a stream */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        removal?: components["schemas"]["Removal"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCycle: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, id, size, unit, timeZone, version */
                sort?: string;
                id?: string;
                unit?: "second" | "minute" | "hour" | "day" | "week" | "month" | "year";
                isStock?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        cycle: components["schemas"]["Cycle"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postCycle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "id": "shift",
                 *       "name": "Shift",
                 *       "size": 8,
                 *       "unit": "hour"
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    readonly isStock?: boolean;
                    id?: string | null;
                    name?: string;
                    size?: number;
                    /** @enum {string} */
                    unit?: "second" | "minute" | "hour" | "day" | "week" | "month" | "year";
                    /** @example 2001-01-01T00:00:00 */
                    reference?: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        cycle: components["schemas"]["Cycle"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCycleByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a cycle */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        cycle: components["schemas"]["Cycle"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putCycleByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a cycle */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    readonly isStock?: boolean;
                    id?: string | null;
                    name?: string;
                    size?: number;
                    /** @enum {string} */
                    unit?: "second" | "minute" | "hour" | "day" | "week" | "month" | "year";
                    /** @example 2001-01-01T00:00:00 */
                    reference?: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        cycle: components["schemas"]["Cycle"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteCycleByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a cycle */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUnit: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, id, symbol, version */
                sort?: string;
                id?: string;
                symbol?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        unit: components["schemas"]["Unit"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postUnit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "id": "celsius",
                 *       "name": "Degrees Celsius",
                 *       "symbol": " °C",
                 *       "numberFormat": "0.0"
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    id?: string | null;
                    name?: string;
                    symbol?: string;
                    /** @enum {string} */
                    symbolLocation?: "before" | "after";
                    /** @example 0,000.00 */
                    numberFormat?: string;
                    /** @enum {string} */
                    booleanStyle?: "TRUE_FALSE" | "ONE_ZERO" | "ON_OFF" | "YES_NO" | "CLOSE_OPEN" | "OPEN_CLOSE" | "HIGH_LOW" | "LOW_HIGH";
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        unit: components["schemas"]["Unit"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUnitByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a unit */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        unit: components["schemas"]["Unit"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putUnitByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a unit */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    id?: string | null;
                    name?: string;
                    symbol?: string;
                    /** @enum {string} */
                    symbolLocation?: "before" | "after";
                    /** @example 0,000.00 */
                    numberFormat?: string;
                    /** @enum {string} */
                    booleanStyle?: "TRUE_FALSE" | "ONE_ZERO" | "ON_OFF" | "YES_NO" | "CLOSE_OPEN" | "OPEN_CLOSE" | "HIGH_LOW" | "LOW_HIGH";
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        unit: components["schemas"]["Unit"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUnitByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a unit */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFolder: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: path */
                sort?: string;
                /** @description a folder, and all below it */
                path?: string;
                /** @description a folder, and only those right in it */
                parent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        folder: components["schemas"]["Folder"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postFolder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "path": "/Components/Plant/North"
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    path: string;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        folder: components["schemas"]["Folder"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFolderByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a folder */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        folder: components["schemas"]["Folder"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putFolderByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a folder */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    path?: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        folder: components["schemas"]["Folder"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFolderByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a folder */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getQuery: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, timeZone, version */
                sort?: string;
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        query: components["schemas"]["Query"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postQuery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Yesterday",
                 *       "sql": "SELECT 1",
                 *       "timeZone": "Europe/Berlin"
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    name: string;
                    sql: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        query: components["schemas"]["Query"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getQueryByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a saved query */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        query: components["schemas"]["Query"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putQueryByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a saved query */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    name?: string;
                    sql?: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        query: components["schemas"]["Query"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteQueryByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a saved query */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDashboard: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, description, version */
                sort?: string;
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        dashboard: components["schemas"]["Dashboard"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Boiler house",
                 *       "description": "On the wall of the control room",
                 *       "tile": [
                 *         {
                 *           "kind": "text",
                 *           "title": "On duty",
                 *           "text": "Ada, 4711",
                 *           "width": 3,
                 *           "height": 2
                 *         },
                 *         {
                 *           "kind": "chart",
                 *           "title": "Flow temperature",
                 *           "column": 3,
                 *           "width": 9,
                 *           "height": 4,
                 *           "stream": [
                 *             {
                 *               "componentUid": "8d3c6f0e-6f0b-4a53-9d0e-2f6a5b7c1d90",
                 *               "streamId": "temp"
                 *             }
                 *           ],
                 *           "seconds": 86400
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    name: string;
                    description?: string;
                    tile?: {
                        /** @enum {string} */
                        kind: "chart" | "value" | "table" | "text";
                        title?: string;
                        column?: number;
                        row?: number;
                        width?: number;
                        height?: number;
                        stream?: {
                            componentUid: string;
                            streamId: string;
                        }[];
                        cycleId?: string | null;
                        /** @enum {string|null} */
                        statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount" | null;
                        seconds?: number | null;
                        text?: string;
                    }[];
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        dashboard: components["schemas"]["Dashboard"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDashboardByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a dashboard */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        dashboard: components["schemas"]["Dashboard"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putDashboardByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a dashboard */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    name?: string;
                    description?: string;
                    tile?: {
                        /** @enum {string} */
                        kind: "chart" | "value" | "table" | "text";
                        title?: string;
                        column?: number;
                        row?: number;
                        width?: number;
                        height?: number;
                        stream?: {
                            componentUid: string;
                            streamId: string;
                        }[];
                        cycleId?: string | null;
                        /** @enum {string|null} */
                        statistic?: "first" | "last" | "min" | "max" | "avg" | "sum" | "minoccurrence" | "maxoccurrence" | "gapcount" | "nongapcount" | "intvlcount" | "milliseccount" | "nongapmilliseccount" | null;
                        seconds?: number | null;
                        text?: string;
                    }[];
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        dashboard: components["schemas"]["Dashboard"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteDashboardByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a dashboard */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnection: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, kind, host, version */
                sort?: string;
                kind?: "postgresql" | "mysql" | "sqlserver" | "oracle";
                host?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        connection: components["schemas"]["Connection"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Plant",
                 *       "kind": "postgresql",
                 *       "host": "192.0.2.7",
                 *       "database": "plant",
                 *       "user": "reader",
                 *       "password": "x"
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    name: string;
                    /** @enum {string} */
                    kind: "postgresql" | "mysql" | "sqlserver" | "oracle";
                    host: string;
                    port?: number | null;
                    database: string;
                    user: string;
                    password?: string;
                    /** @enum {unknown} */
                    tls?: true | false | "no-verify";
                    /** @description a certificate in PEM */
                    ca?: string | null;
                    /** @description a certificate in PEM */
                    certificate?: string | null;
                    /** @description a private key without a passphrase in PEM */
                    key?: string | null;
                    connectTimeoutMs?: number | null;
                    searchPath?: string | null;
                    sessionTimeZone?: string | null;
                    instance?: string | null;
                    sid?: boolean | null;
                    wallet?: string | null;
                    walletPassword?: string | null;
                    readonly hasPassword?: boolean;
                    readonly hasKey?: boolean;
                    readonly hasWallet?: boolean;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        connection: components["schemas"]["Connection"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnectionByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a connection */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        connection: components["schemas"]["Connection"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putConnectionByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a connection */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    name?: string;
                    /** @enum {string} */
                    kind?: "postgresql" | "mysql" | "sqlserver" | "oracle";
                    host?: string;
                    port?: number | null;
                    database?: string;
                    user?: string;
                    password?: string;
                    /** @enum {unknown} */
                    tls?: true | false | "no-verify";
                    /** @description a certificate in PEM */
                    ca?: string | null;
                    /** @description a certificate in PEM */
                    certificate?: string | null;
                    /** @description a private key without a passphrase in PEM */
                    key?: string | null;
                    connectTimeoutMs?: number | null;
                    searchPath?: string | null;
                    sessionTimeZone?: string | null;
                    instance?: string | null;
                    sid?: boolean | null;
                    wallet?: string | null;
                    walletPassword?: string | null;
                    readonly hasPassword?: boolean;
                    readonly hasKey?: boolean;
                    readonly hasWallet?: boolean;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        connection: components["schemas"]["Connection"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteConnectionByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a connection */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postConnectionByUidTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        test: {
                            ok: boolean;
                            version?: string;
                            ms: number;
                            error: string;
                        };
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postConnectionByUidPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "sql": "SELECT 1 AS one"
                 *     }
                 */
                "application/json": {
                    sql: string;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        preview: {
                            columns: {
                                name: string;
                                type: string;
                            }[];
                            rows: (string | null)[][];
                            truncated: boolean;
                        };
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnector: {
        parameters: {
            query?: {
                /** @description how many are left out before the first */
                start?: number;
                /** @description how many are shown, 1000 at most */
                limit?: number;
                /** @description found in id, name and description, ignoring case */
                text?: string;
                /** @description members to sort by, the first one first, - before one for descending: name, type, enabled, endpoint, lastRunDate, version */
                sort?: string;
                type?: "http" | "import";
                enabled?: boolean;
                endpoint?: string;
                connectionUid?: string;
                runAsUserUid?: string;
                runningUserUid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        connector: components["schemas"]["Connector"][];
                        totalCount: number;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postConnector: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Weather",
                 *       "endpoint": "weather",
                 *       "runAsUserUid": "0b8f2d6e-4a1c-4d6b-9c57-3f5e8a7d1c20",
                 *       "sql": "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Mast', 'wind', NOW(), JSON_Value(@HTTP_BODY, '$.wind')"
                 *     }
                 */
                "application/json": {
                    readonly uid?: string;
                    /** @enum {string} */
                    type?: "http" | "import";
                    name: string;
                    enabled?: boolean;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    version?: number;
                    endpoint?: string;
                    runAsUserUid?: string | null;
                    sql?: string;
                    debug?: boolean;
                    readonly sinkUrl?: string;
                    connectionUid?: string;
                    runningUserUid?: string | null;
                    externalSql?: string;
                    ingestSql?: string;
                    maxRows?: number;
                    skipUnchanged?: boolean;
                    /** @example *\/5 * * * * */
                    schedule?: string | null;
                    overlapSeconds?: number;
                    readonly lastRunDate?: number | null;
                    readonly nextRun?: number | null;
                    readonly lastError?: string | null;
                    readonly failures?: number;
                };
            };
        };
        responses: {
            /** @description done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        connector: components["schemas"]["Connector"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnectorByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a connector */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        connector: components["schemas"]["Connector"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putConnectorByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a connector */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    readonly uid?: string;
                    /** @enum {string} */
                    type?: "http" | "import";
                    name?: string;
                    enabled?: boolean;
                    /**
                     * @description an IANA time zone
                     * @example Europe/Berlin
                     */
                    timeZone?: string | null;
                    version?: number;
                    endpoint?: string;
                    runAsUserUid?: string | null;
                    sql?: string;
                    debug?: boolean;
                    readonly sinkUrl?: string;
                    connectionUid?: string;
                    runningUserUid?: string | null;
                    externalSql?: string;
                    ingestSql?: string;
                    maxRows?: number;
                    skipUnchanged?: boolean;
                    /** @example *\/5 * * * * */
                    schedule?: string | null;
                    overlapSeconds?: number;
                    readonly lastRunDate?: number | null;
                    readonly nextRun?: number | null;
                    readonly lastError?: string | null;
                    readonly failures?: number;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                        connector: components["schemas"]["Connector"];
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteConnectorByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a connector */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        message: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postMcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/list"
                 *     }
                 */
                "application/json": {
                    jsonrpc?: string;
                    method?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jsonrpc?: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWellKnownOauthProtectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        resource: string;
                        authorization_servers: string[];
                        scopes_supported: string[];
                        bearer_methods_supported: string[];
                        resource_name: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWellKnownOauthProtectedResourceApiMcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        resource: string;
                        authorization_servers: string[];
                        scopes_supported: string[];
                        bearer_methods_supported: string[];
                        resource_name: string;
                    };
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOpenapiJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description refused, and nothing is stored */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
